import { expect, test } from "bun:test";
import { requestWithRetry, Unreachable } from "#client/base/api/request-with-retry.ts";

type Outcome = Response | Error;

/** A network with these outcomes, in order, that records its requests. */
function network(...outcomes: Outcome[]) {
  const requests: RequestInit[] = [];
  const send = (_: string, init: RequestInit): Promise<Response> => {
    requests.push(init);
    const outcome = outcomes.shift() ?? Response.json({});
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  };
  return { requests, send };
}

const cut = () => new TypeError("failed to fetch");
const away = (status: number, retryAfter = "0") =>
  new Response(null, { status, headers: { "retry-after": retryAfter } });

test("GET and HEAD are retried once without an answer", async () => {
  for (const method of ["GET", "HEAD"]) {
    const { requests, send } = network(cut(), Response.json({ fine: true }));
    expect((await requestWithRetry(send, "/", { method })).status).toBe(200);
    expect(requests).toHaveLength(2);
  }
});

test("502, 503 and 504 are retried once, and the second answer counts", async () => {
  for (const status of [502, 503, 504]) {
    const { requests, send } = network(away(status), away(503));
    expect((await requestWithRetry(send, "/", { method: "GET" })).status).toBe(503);
    expect(requests).toHaveLength(2);
  }
});

test("the retry waits as long as Retry-After says", async () => {
  const { send } = network(away(503, "1"), Response.json({}));
  const startedAt = performance.now();
  await requestWithRetry(send, "/", { method: "GET" });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
});

test("other answers are not retried", async () => {
  for (const status of [304, 404, 429, 500]) {
    const { requests, send } = network(new Response(null, { status }));
    expect((await requestWithRetry(send, "/", { method: "GET" })).status).toBe(status);
    expect(requests).toHaveLength(1);
  }
});

test("other methods are sent once, because the work may have been done", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const { requests, send } = network(cut());
    expect(requestWithRetry(send, "/", { method })).rejects.toBeInstanceOf(Unreachable);
    expect(requests).toHaveLength(1);
    const refusing = network(away(503));
    expect((await requestWithRetry(refusing.send, "/", { method })).status).toBe(503);
    expect(refusing.requests).toHaveLength(1);
  }
});

test("no answer at all is an Unreachable error", async () => {
  const { send } = network(cut(), cut());
  const error = await requestWithRetry(send, "/", { method: "GET" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Unreachable);
  expect(error).toMatchObject({ message: "The server cannot be reached.", cause: cut() });
});

test("an answer that is cut off counts as no answer, and is retried", async () => {
  const half = new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"users":['));
        controller.error(cut());
      },
    }),
  );
  const { requests, send } = network(half, Response.json({ users: [] }));
  const response = await requestWithRetry(send, "/", { method: "GET" });
  expect([requests.length, await response.json()]).toEqual([2, { users: [] }]);
});

test("a request that times out is not retried", async () => {
  const requests: RequestInit[] = [];
  const late = new DOMException("too late", "TimeoutError");
  const send = (_: string, init: RequestInit) => {
    requests.push(init);
    return Promise.reject(late);
  };
  expect(requestWithRetry(send, "/", { method: "GET" })).rejects.toBeInstanceOf(Unreachable);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.signal?.aborted).toBe(false);
});

test("an aborted request throws its abort reason", async () => {
  const leaving = new DOMException("left", "AbortError");
  const { requests, send } = network(leaving);
  const aborted = AbortSignal.abort(leaving);
  expect(requestWithRetry(send, "/", { method: "GET", signal: aborted })).rejects.toBe(leaving);
  expect(requests).toHaveLength(1);
});

test("there is no retry after an abort", async () => {
  const leaving = new AbortController();
  const { requests, send } = network(away(503, "3"), Response.json({}));
  const pending = requestWithRetry(send, "/", { method: "GET", signal: leaving.signal }).catch(
    (thrown: unknown) => thrown,
  );
  await Bun.sleep(1);
  leaving.abort(new DOMException("left", "AbortError"));
  expect(await pending).toMatchObject({ name: "AbortError" });
  expect(requests).toHaveLength(1);
});
