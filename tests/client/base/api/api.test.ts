import { expect, test } from "bun:test";
import { ApiError, createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { requestWithRetry, Unreachable } from "#client/base/api/request-with-retry.ts";

type Sent = { path: string; init: RequestInit };

/** An API that gives these answers, in order, and records its requests. */
function apiWith(...answers: Response[]) {
  const sent: Sent[] = [];
  const api = createApi({
    inProcess: false,
    carry: overHttp({
      csrfToken: "first-token",
      send: (path, init) => {
        sent.push({ path, init });
        return Promise.resolve(answers.shift() ?? Response.json({}));
      },
    }),
  });
  return { api, sent };
}

const headersOf = ({ init }: Sent) => new Headers(init.headers);

test("a request has the token of the last answer, also of a refusal", async () => {
  const refusal = Response.json(
    { error: "no", code: "no" },
    { status: 422, headers: { "x-csrf-token": "newer" } },
  );
  const { api, sent } = apiWith(refusal);
  await api.put("/api/v1/sessions/1/start").catch(() => null);
  await api.delete("/api/v1/calls/1");
  expect(sent.map((request) => headersOf(request).get("x-csrf-token"))).toEqual(["first-token", "newer"]);
});

test.each([301, 404, 422, 500])("an answer %i is an error with the response and its body", async (status) => {
  const body = { error: "Validation failed", code: "invalid", errors: { state_event: ["is invalid"] } };
  const { api } = apiWith(Response.json(body, { status }));
  const error = await api.get("/api/v1/users/me").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  const errors = { stateEvent: ["is invalid"] };
  expect(error).toMatchObject({ status, message: "Validation failed", body: { errors } });
});

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

test.each([
  ["no answer", cut],
  ["502", () => away(502)],
  ["503", () => away(503)],
  ["504", () => away(504)],
])("GET and HEAD are retried once after %s, and the second answer counts", async (_, first) => {
  for (const method of ["GET", "HEAD"]) {
    const { requests, send } = network(first(), Response.json({ fine: true }));
    expect((await requestWithRetry(send, "/", { method })).status).toBe(200);
    expect(requests).toHaveLength(2);
  }
});

test("other answers are not retried, and other methods are sent once, because the work may have been done", async () => {
  for (const status of [304, 404, 429, 500]) {
    const { requests, send } = network(new Response(null, { status }));
    expect((await requestWithRetry(send, "/", { method: "GET" })).status).toBe(status);
    expect(requests).toHaveLength(1);
  }
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const { requests, send } = network(cut());
    expect(requestWithRetry(send, "/", { method })).rejects.toBeInstanceOf(Unreachable);
    expect(requests).toHaveLength(1);
  }
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

test("an aborted request throws its abort reason", async () => {
  const leaving = new DOMException("left", "AbortError");
  const { requests, send } = network(leaving);
  const aborted = AbortSignal.abort(leaving);
  expect(requestWithRetry(send, "/", { method: "GET", signal: aborted })).rejects.toBe(leaving);
  expect(requests).toHaveLength(1);
});
