import { expect, test } from "bun:test";
import { actOnAction } from "#client/screens/action/act-on-action.ts";
import { redirectOf, sendForm } from "../base/api/send-form.ts";

const page = { path: "/sessions/derby?from=list", pattern: "/sessions/:slug", params: { slug: "derby" } };

const send = (fields: Record<string, string>, answer: Response) =>
  sendForm(actOnAction, page, { fields, answer: () => answer });
const refusal = (status: number, body: object) => Response.json(body, { status });

test("without JavaScript a side's button places a call under the form's key and redirects to the page", async () => {
  const fields = { spot_id: "11", wager: "2.5", idempotency_key: "key-1" };
  const { outcome, requests, keys } = await send(fields, Response.json({ call: {} }, { status: 201 }));
  expect(requests).toEqual([
    { method: "POST", path: "/api/v1/calls", body: { call: { spot_id: 11, wager: 2.5 } } },
  ]);
  expect(keys).toEqual(["key-1"]);
  expect(redirectOf(outcome)).toEqual([303, "/sessions/derby"]);
  expect(outcome).toHaveProperty("headers");
  if (outcome instanceof Response) expect(outcome.headers.get("set-cookie")).toMatch(/^wager=\d*-250; /);
});

test("a form of a page that says it is on the house asks the house", async () => {
  const fields = { spot_id: "11", wager: "1", idempotency_key: "k", on_the_house: "1" };
  const { requests } = await send(fields, Response.json({}));
  expect(requests).toMatchObject([{ body: { call: { spot_id: 11, wager: 1, on_the_house: true } } }]);
});

test.each([
  ["abc", "Not an amount. Write it like 12.50."],
  ["-5", "Wager $0.01 or more."],
])("%p is refused beside the field, as it was typed, and nothing is sent", async (typed, error) => {
  const fields = { spot_id: "11", wager: typed, idempotency_key: "k" };
  const { outcome, requests } = await send(fields, Response.json({ call: {} }, { status: 201 }));
  expect(requests).toEqual([]);
  expect(outcome).toMatchObject({ data: { refusal: error, wager: { typed, error } }, init: { status: 422 } });
});

test("what the server says about the amount is shown beside the field too", async () => {
  const fields = { spot_id: "11", wager: "50", idempotency_key: "k" };
  const errors = { wager: ["must be less than or equal to 5"] };
  const body = { error: "Validation failed: Wager must be less than or equal to 5", code: "invalid", errors };
  const { outcome } = await send(fields, refusal(422, body));
  const error = "The wager must be less than or equal to 5.";
  expect(outcome).toMatchObject({ data: { wager: { typed: "50", error } } });
  const late = refusal(422, {
    error: "Validation failed",
    code: "late",
    errors: { spot: ["has wrong state"] },
  });
  expect((await send(fields, late)).outcome).toMatchObject({ data: { wager: { typed: "50", error: null } } });
});

test("a refusal is shown on the page with its detail and its status", async () => {
  const late = refusal(422, { error: "Validation failed", code: "late", detail: "Call was 0.14 s late." });
  const { outcome } = await send({ spot_id: "11", wager: "1", idempotency_key: "k" }, late);
  expect(outcome).toMatchObject({ data: { refusal: "Call was 0.14 s late." }, init: { status: 422 } });
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
