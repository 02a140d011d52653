import { expect, test } from "bun:test";
import { RouterContextProvider } from "react-router";
import { actOnAction } from "#client/action/act-on-action.ts";
import { createApi } from "#client/api.ts";
import { apiContext } from "#client/context.ts";

const page = "http://localhost/sessions/derby?from=list";

/** Sends the form to the page while the API answers so; tells what the API was asked. */
async function send(fields: Record<string, string>, answer: Response) {
  const asked: { method: string; path: string; key: string | null; body: unknown }[] = [];
  const context = new RouterContextProvider();
  const api = createApi({
    inProcess: true,
    csrfToken: "token",
    send: (path, { method = "", headers, body }) => {
      asked.push({ method, path, key: new Headers(headers).get("idempotency-key"), body });
      return Promise.resolve(answer);
    },
  });
  context.set(apiContext, api);
  const request = new Request(page, { method: "POST", body: new URLSearchParams(fields) });
  const args = {
    request,
    context,
    params: { slug: "derby" },
    url: new URL(page),
    pattern: "/sessions/:slug",
  };
  return { outcome: await actOnAction(args).catch((error: unknown) => error), asked };
}

const refused = (status: number, body: object) => Response.json(body, { status });

test("a side pressed without script places a call under the form's key and leads back to the page", async () => {
  const fields = { spot_id: "11", wager: "2.5", idempotency_key: "key-1" };
  const { outcome, asked } = await send(fields, Response.json({ call: {} }, { status: 201 }));
  expect(asked).toEqual([
    { method: "POST", path: "/api/v1/calls", key: "key-1", body: '{"call":{"spot_id":11,"wager":2.5}}' },
  ]);
  expect(outcome).toBeInstanceOf(Response);
  if (!(outcome instanceof Response)) return;
  expect([outcome.status, outcome.headers.get("location")]).toEqual([303, "/sessions/derby"]);
});

test("an empty amount is left to the server's default", async () => {
  const { asked } = await send({ spot_id: "11", wager: "", idempotency_key: "k" }, Response.json({}));
  expect(asked).toMatchObject([{ body: '{"call":{"spot_id":11}}' }]);
});

test("a call is taken back by its own form", async () => {
  const { asked } = await send({ cancel: "7" }, new Response(null, { status: 204 }));
  expect(asked).toMatchObject([{ method: "DELETE", path: "/api/v1/calls/7" }]);
});

test("a refusal is shown on the page in its own words, with its status", async () => {
  const late = refused(422, { error: "Validation failed", code: "late", detail: "Call was 0.14 s late." });
  const { outcome } = await send({ spot_id: "11", wager: "1", idempotency_key: "k" }, late);
  expect(outcome).toMatchObject({ data: { refusal: "Call was 0.14 s late." }, init: { status: 422 } });
});

test("a balance that does not reach is said in a sentence", async () => {
  const broke = refused(422, { error: "Validation failed: Wallet ...", code: "insufficient_balance" });
  const { outcome } = await send({ spot_id: "11", wager: "900", idempotency_key: "k" }, broke);
  expect(outcome).toMatchObject({ data: { refusal: "Your available balance does not cover this wager." } });
});

test("signed out, or a server in trouble, is not a refusal of the call", async () => {
  const fields = { spot_id: "11", wager: "1", idempotency_key: "k" };
  const signedOut = await send(
    fields,
    refused(401, { error: "You need to sign in", code: "unauthenticated" }),
  );
  expect(signedOut.outcome).toMatchObject({ name: "ApiError", status: 401 });
  const away = await send(fields, refused(503, { error: "away", code: "unavailable" }));
  expect(away.outcome).toMatchObject({ name: "ApiError", status: 503 });
});
