import { expect, test } from "bun:test";
import { ApiError, createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { placeWithKey } from "#client/events/placing/use-requests.ts";

const placement = {
  key: "3f1c1f5e-0000-4000-8000-000000000001",
  spotId: 11,
  wagerCents: 250,
  onTheHouse: false,
};

/** An API with these outcomes, in order. */
function apiWith(...outcomes: (() => Response)[]) {
  const keys: (string | null)[] = [];
  const bodies: unknown[] = [];
  const api = createApi({
    inProcess: false,
    carry: overHttp({
      csrfToken: "token",
      send: (_path, init) => {
        keys.push(new Headers(init.headers).get("idempotency-key"));
        bodies.push(init.body);
        const outcome = outcomes.shift();
        if (outcome === undefined) throw new TypeError("no answer");
        return Promise.resolve(outcome());
      },
    }),
  });
  return { api, keys, bodies };
}

const placed = () => Response.json({ call: { id: 5 } }, { status: 201 });
const unreachable = (): Response => {
  throw new TypeError("connection refused");
};

test("without an answer the same call is sent again under the same key", async () => {
  const { api, keys, bodies } = apiWith(unreachable, () => new Response("", { status: 503 }), placed);
  expect(await placeWithKey(api, placement)).toMatchObject({ call: { id: 5 } });
  expect(keys).toEqual([placement.key, placement.key, placement.key]);
  expect(new Set(bodies)).toEqual(new Set(['{"call":{"spot_id":11,"wager":2.5}}']));
});

test("a call asks the house for what is missing where the page has said that it adds it", async () => {
  const { api, bodies } = apiWith(placed);
  await placeWithKey(api, { ...placement, wagerCents: 100, onTheHouse: true });
  expect(bodies).toEqual(['{"call":{"spot_id":11,"wager":1,"on_the_house":true}}']);
});

test("a refused call is not sent again", async () => {
  const late = () =>
    Response.json(
      { error: "Validation failed", code: "late", detail: "Call was 0.14 s late." },
      { status: 422 },
    );
  const { api, keys } = apiWith(late, placed);
  const refusal = await placeWithKey(api, placement).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(keys).toHaveLength(1);
});

const busy = () =>
  Response.json(
    { error: "Too many calls are coming in at once. Try again in a moment.", code: "too_many_calls" },
    { status: 503, headers: { "retry-after": "0" } },
  );

test("an overloaded server is retried, and its refusal is kept if that does not help", async () => {
  const { api, keys } = apiWith(busy, placed);
  expect(await placeWithKey(api, placement)).toMatchObject({ call: { id: 5 } });
  expect(keys).toEqual([placement.key, placement.key]);

  const crowded = apiWith(busy, busy, busy, busy, placed);
  const refusal = await placeWithKey(crowded.api, placement).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(String(refusal)).toContain("Try again in a moment.");
  expect(crowded.keys).toHaveLength(4);
});

test.each([401, 403, 404, 429])(
  "after an attempt without an answer a refusal with %i says nothing about it: the outcome is unknown",
  async (status) => {
    const refused = () => Response.json({ error: "Refused", code: "refused" }, { status });
    const { api, keys } = apiWith(unreachable, refused, placed);
    const error = await placeWithKey(api, placement).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Unreachable);
    expect(keys).toHaveLength(2);
    // The first attempt may be refused like that: nothing was tried before.
    const first = await placeWithKey(apiWith(refused, placed).api, placement).catch(
      (reason: unknown) => reason,
    );
    expect(first).toBeInstanceOf(ApiError);
  },
);
