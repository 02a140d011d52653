import { expect, test } from "bun:test";
import { type Api, ApiError, createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { createServer } from "#src/server.ts";
import { metaIn, Reader } from "#tests/pages/ssr/browser.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import { buildEvent, buildPlayer, readSpots } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";

const ORIGIN = "http://localhost:3000";

const deps = await testDeps();
const server = createServer(deps);
const player = await buildPlayer(deps);
await givePassword(deps, player.id);
// The first page builds the browser's code.
await openPage("/users/sign_in");

type Sent = { method: string; headers: Headers; credentials: string };

/** The API client of a page that is opened once and never loaded again, and the requests that it sends. */
async function openPage(path: string): Promise<{ api: Api; sent: Sent[] }> {
  const browser = new Reader(server);
  const csrfToken = metaIn((await browser.open(path)).html, "csrf-token");
  const sent: Sent[] = [];
  const send = (to: string, init: RequestInit) => {
    const request = new Request(ORIGIN + to, init);
    const { method, headers } = request;
    sent.push({ method, headers: new Headers(headers), credentials: init.credentials ?? "" });
    return browser.pass(request);
  };
  return { api: createApi({ inProcess: false, carry: overHttp({ csrfToken, send }) }), sent };
}

const refused = async (request: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await request.catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error("it should have been refused");
  return error;
};

test("a page signs in, plays and signs out with the token of the page and then of the last answer", async () => {
  const { api, sent } = await openPage("/users/sign_in");
  const event = await buildEvent(deps, "open");
  const spots = await readSpots(deps, event.id);

  const signedIn = await api.post("/users/sign_in", { user: { email: player.email, password: PASSWORD } });
  expect(signedIn).toMatchObject({ user: { id: player.id, roles: [], guest: false } });
  const { call } = await api.post("/api/v1/calls", { call: { spotId: spots.true.id, userId: player.id } });
  expect(call).toMatchObject({ eventId: event.id, userId: player.id, state: "placed", wager: 1 });
  expect(await api.delete(`/api/v1/calls/${call.id}`)).toBeNull();
  const { user } = await api.get("/api/v1/users/me");
  expect(user).toMatchObject({ id: player.id, calls: [{ id: call.id, state: "soft_destroyed" }] });
  expect(await api.delete("/users/sign_out")).toBeNull();
  expect((await refused(api.get("/api/v1/users/me"))).status).toBe(401);

  const tokens = sent.map(({ headers }) => headers.get("x-csrf-token"));
  expect(new Set(tokens).size).toBe(sent.length);
  for (const { credentials, headers } of sent) {
    expect([credentials, headers.get("accept")]).toEqual(["include", "application/json"]);
  }
});

test("an answer outside 200-299 is an error with the response and its body", async () => {
  const { api } = await openPage("/users/sign_in");
  await api.post("/users/sign_in", { user: { email: player.email, password: PASSWORD } });
  const error = await refused(api.post("/api/v1/calls", { call: { spotId: 0, wager: "much" } }));
  expect(error).toMatchObject({ status: 422, response: { ok: false } });
  expect(error.message).toStartWith("Validation failed: ");
  expect(error.body).toMatchObject({
    code: "invalid",
    errors: { spotId: [expect.any(String)], wager: [expect.any(String)] },
    requestId: String(error.response.headers.get("x-request-id")),
  });
});

test("a GET or HEAD with a body is not sent", async () => {
  const { api, sent } = await openPage("/users/sign_in");
  for (const method of ["GET", "HEAD"]) {
    expect(api.request(method, "/api/v1/users/me", { data: {} })).rejects.toThrow(
      "Request with GET/HEAD method cannot have data.",
    );
  }
  expect(sent).toEqual([]);
});
