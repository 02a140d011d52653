import { expect, test } from "bun:test";
import { requestWithRetry, Unreachable } from "#client/request-with-retry.ts";

type Outcome = Response | Error;

/** A network that does what it is told, in order, and keeps what it was asked. */
function network(...outcomes: Outcome[]) {
  const asked: RequestInit[] = [];
  const send = (_: string, init: RequestInit): Promise<Response> => {
    asked.push(init);
    const outcome = outcomes.shift() ?? Response.json({});
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  };
  return { asked, send };
}

const cut = () => new TypeError("failed to fetch");
const away = (status: number, retryAfter = "0") =>
  new Response(null, { status, headers: { "retry-after": retryAfter } });

test("what only looks is asked once more where nothing came back", async () => {
  for (const method of ["GET", "HEAD"]) {
    const { asked, send } = network(cut(), Response.json({ fine: true }));
    expect((await requestWithRetry(send, "/", { method })).status).toBe(200);
    expect(asked).toHaveLength(2);
  }
});

test("a server that is away for a moment is asked once more, and its second answer counts", async () => {
  for (const status of [502, 503, 504]) {
    const { asked, send } = network(away(status), away(503));
    expect((await requestWithRetry(send, "/", { method: "GET" })).status).toBe(503);
    expect(asked).toHaveLength(2);
  }
});

test("the server says how long it wants to be left alone", async () => {
  const { send } = network(away(503, "1"), Response.json({}));
  const startedAt = performance.now();
  await requestWithRetry(send, "/", { method: "GET" });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
});

test("any other answer stands", async () => {
  for (const status of [304, 404, 429, 500]) {
    const { asked, send } = network(new Response(null, { status }));
    expect((await requestWithRetry(send, "/", { method: "GET" })).status).toBe(status);
    expect(asked).toHaveLength(1);
  }
});

test("what changes something is sent once: it may have been done", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const { asked, send } = network(cut());
    expect(requestWithRetry(send, "/", { method })).rejects.toBeInstanceOf(Unreachable);
    expect(asked).toHaveLength(1);
    const refusing = network(away(503));
    expect((await requestWithRetry(refusing.send, "/", { method })).status).toBe(503);
    expect(refusing.asked).toHaveLength(1);
  }
});

test("no answer at all is told apart from a refusal", async () => {
  const { send } = network(cut(), cut());
  const error = await requestWithRetry(send, "/", { method: "GET" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Unreachable);
  expect(error).toMatchObject({ message: "The server cannot be reached.", cause: cut() });
});

test("an answer that is cut off in its middle is none, and is asked for again", async () => {
  const half = new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"users":['));
        controller.error(cut());
      },
    }),
  );
  const { asked, send } = network(half, Response.json({ users: [] }));
  const response = await requestWithRetry(send, "/", { method: "GET" });
  expect([asked.length, await response.json()]).toEqual([2, { users: [] }]);
});

test("what takes too long is given up and not asked again", async () => {
  const asked: RequestInit[] = [];
  const late = new DOMException("too late", "TimeoutError");
  const send = (_: string, init: RequestInit) => {
    asked.push(init);
    return Promise.reject(late);
  };
  expect(requestWithRetry(send, "/", { method: "GET" })).rejects.toBeInstanceOf(Unreachable);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.signal?.aborted).toBe(false);
});

test("what the page no longer waits for is not called unreachable", async () => {
  const leaving = new DOMException("left", "AbortError");
  const { asked, send } = network(leaving);
  const gone = AbortSignal.abort(leaving);
  expect(requestWithRetry(send, "/", { method: "GET", signal: gone })).rejects.toBe(leaving);
  expect(asked).toHaveLength(1);
});

test("nothing is asked again once the page has left", async () => {
  const leaving = new AbortController();
  const { asked, send } = network(away(503, "3"), Response.json({}));
  const reached = requestWithRetry(send, "/", { method: "GET", signal: leaving.signal }).catch(
    (thrown: unknown) => thrown,
  );
  await Bun.sleep(1);
  leaving.abort(new DOMException("left", "AbortError"));
  expect(await reached).toMatchObject({ name: "AbortError" });
  expect(asked).toHaveLength(1);
});
