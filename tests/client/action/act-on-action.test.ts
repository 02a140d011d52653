import { expect, test } from "bun:test";
import { actOnAction } from "#client/action/act-on-action.ts";
import { redirectOf, sendForm } from "../send-form.ts";

const page = { path: "/sessions/derby?from=list", pattern: "/sessions/:slug", params: { slug: "derby" } };

const send = (fields: Record<string, string>, answer: Response) =>
  sendForm(actOnAction, page, { fields, answer: () => answer });
const refusal = (status: number, body: object) => Response.json(body, { status });

test("without script a side's button places a call under the form's key and redirects to the page", async () => {
  const fields = { spot_id: "11", wager: "2.5", idempotency_key: "key-1" };
  const { outcome, requests, keys } = await send(fields, Response.json({ call: {} }, { status: 201 }));
  expect(requests).toEqual([
    { method: "POST", path: "/api/v1/calls", body: { call: { spot_id: 11, wager: 2.5 } } },
  ]);
  expect(keys).toEqual(["key-1"]);
  expect(redirectOf(outcome)).toEqual([303, "/sessions/derby"]);
});

test("an empty amount leaves the wager to the server's default", async () => {
  const { requests } = await send({ spot_id: "11", wager: "", idempotency_key: "k" }, Response.json({}));
  expect(requests).toMatchObject([{ body: { call: { spot_id: 11 } } }]);
});

test("a call is cancelled by its own form", async () => {
  const { requests } = await send({ cancel: "7" }, new Response(null, { status: 204 }));
  expect(requests).toMatchObject([{ method: "DELETE", path: "/api/v1/calls/7" }]);
});

test("a refusal is shown on the page with its detail and its status", async () => {
  const late = refusal(422, { error: "Validation failed", code: "late", detail: "Call was 0.14 s late." });
  const { outcome } = await send({ spot_id: "11", wager: "1", idempotency_key: "k" }, late);
  expect(outcome).toMatchObject({ data: { refusal: "Call was 0.14 s late." }, init: { status: 422 } });
});

test("an insufficient balance is explained in a sentence", async () => {
  const broke = refusal(422, { error: "Validation failed: Wallet ...", code: "insufficient_balance" });
  const { outcome } = await send({ spot_id: "11", wager: "900", idempotency_key: "k" }, broke);
  expect(outcome).toMatchObject({ data: { refusal: "Your available balance does not cover this wager." } });
});

test("401 and 5xx are thrown and not shown as refusals of the call", async () => {
  const fields = { spot_id: "11", wager: "1", idempotency_key: "k" };
  const signedOut = await send(
    fields,
    refusal(401, { error: "You need to sign in", code: "unauthenticated" }),
  );
  expect(signedOut.outcome).toMatchObject({ name: "ApiError", status: 401 });
  const away = await send(fields, refusal(503, { error: "away", code: "unavailable" }));
  expect(away.outcome).toMatchObject({ name: "ApiError", status: 503 });
});
