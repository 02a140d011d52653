import { expect, test } from "bun:test";
import { ApiError, createApi } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { createChangeTimes, holdAnswers } from "#client/base/delay/hold-answers.ts";
import { CHANGED_AT_HEADER } from "#src/http/contract.ts";

const NOW_MS = 1_000_000;
const times = () => createChangeTimes(() => NOW_MS);
const changedAt = (ms: number | string) => new Headers({ [CHANGED_AT_HEADER]: String(ms) });

test("an answer is as old as the last change that it may contain", () => {
  const changes = times();
  const answer = { wallet: {} };
  changes.learn(answer, changedAt(400_000));
  expect(changes.of(answer)).toBe(400_000);
});

test("without the time of the last change it may have been now, and it is never in the future", () => {
  const changes = times();
  const [silent, early] = [{}, {}];
  changes.learn(silent, new Headers());
  changes.learn(early, changedAt(NOW_MS + 500));
  expect([changes.of(silent), changes.of(early), changes.of({}), changes.of(null)]).toEqual(
    Array(4).fill(NOW_MS),
  );
});

test("a refusal tells as much as an answer, and so is as old as the last change", () => {
  const response = new Response("{}", { status: 404, headers: changedAt(7) });
  expect(times().of(new ApiError(response, null))).toBe(7);
});

/** An API behind which nothing is shown until `release`. */
function heldApi(carry: () => Promise<unknown>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held: unknown[] = [];
  const api = holdAnswers(createApi({ inProcess: false, carry }), async (answer) => {
    held.push(answer);
    await promise;
  });
  return { api, held, release: resolve };
}

test("what the page reads waits until it may be shown", async () => {
  const { api, held, release } = heldApi(async () => ({ calls: [] }));
  let answered = false;
  const reading = api.request("GET", "/api/v1/calls").then(() => {
    answered = true;
  });
  await Bun.sleep(0);
  expect([answered, held]).toEqual([false, [{ calls: [] }]]);
  release();
  await reading;
  expect(answered).toBe(true);
});

test("the answer to a call of the player does not wait; marking notifications as read answers with news, and waits", async () => {
  const { api, held, release } = heldApi(async () => ({ call: 1 }));
  expect(await api.request<object>("POST", "/api/v1/calls")).toEqual({ call: 1 });
  expect(held).toEqual([]);
  const marking = api.request("PUT", "/api/v1/users/1/notifications/read");
  await Bun.sleep(0);
  expect(held.length).toBe(1);
  release();
  await marking;
});

test("a refusal of a read waits too, and a request without an answer fails at once", async () => {
  const refusal = new ApiError(new Response("{}", { status: 401 }), null);
  const refused = heldApi(async () => Promise.reject(refusal));
  const reading = refused.api.request("GET", "/api/v1/sessions").catch((error: unknown) => error);
  await Bun.sleep(0);
  expect(refused.held).toEqual([refusal]);
  refused.release();
  expect(await reading).toBe(refusal);
  const offline = heldApi(async () => Promise.reject(new Unreachable("Away.")));
  expect(
    await offline.api.request("GET", "/api/v1/sessions").catch((error: unknown) => error),
  ).toBeInstanceOf(Unreachable);
  expect(offline.held).toEqual([]);
});

test("clearing the notifications does not wait", async () => {
  const { api, held } = heldApi(async () => null);
  await api.request("DELETE", "/api/v1/users/1/notifications");
  expect(held).toEqual([]);
});
