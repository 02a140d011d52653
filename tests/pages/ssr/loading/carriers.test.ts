import { describe, expect, test } from "bun:test";
import { RouterContextProvider, type StaticHandlerContext } from "react-router";
import { ApiError, createApi, type Api, type RequestOptions } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { Deferred } from "#client/base/deferred/deferred.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { Deps } from "#src/base/deps.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { rates } from "#src/http/rates.ts";
import { createRequestContext, type RequestContext } from "#src/http/request-context.ts";
import { prefetchPageData } from "#src/pages/page-read/prefetch-page-data.ts";
import { buildPageContext } from "#src/pages/ssr/build-page-context.ts";
import { createInProcessApi } from "#src/pages/ssr/in-process-api.ts";
import { matchPage, runPage } from "#src/pages/ssr/run-page.ts";
import { authenticate } from "#src/people/sign-ins/authenticate.ts";
import { createServer } from "#src/server.ts";
import { buildWorld, pathIn, type CallerName } from "#tests/http/access-world.ts";
import { pageAccess } from "#tests/http/page-access.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { signInDirectly, signedOutClient } from "#tests/support/client.ts";
import type { Server } from "#tests/support/server.ts";
import { testWorld } from "#tests/support/world.ts";

const ORIGIN = "http://localhost:3000";

/** The cookie and the anti-forgery token of a browser. */
type Credentials = Record<string, string>;

/** A page request as the server answers it, before its loaders run. */
type Visit = { received: RequestContext; context: (api: Api) => RouterContextProvider };

/** Opens a page for a browser. `context` makes what guards and loaders get, with an API of the test's choice. */
async function openVisit(
  { deps, server }: { deps: Deps; server: Server },
  path: string,
  credentials: Credentials,
): Promise<Visit> {
  const received = receive(server, path, credentials);
  const { screen, params } = matchPage(received.path);
  const begun = prefetchPageData(deps, received, { reads: screen?.reads ?? {}, params });
  const { viewer, csrfToken } = await authenticate(deps, received);
  const { page } = await buildPageContext(deps, received.request, { viewer, csrfToken: csrfToken(), begun });
  return {
    received,
    context: (api) => {
      const context = new RouterContextProvider();
      context.set(pageContext, page);
      context.set(apiContext, api);
      return context;
    },
  };
}

/** A page request that the server has just received. */
function receive(server: Server, path: string, credentials: Credentials): RequestContext {
  const headers = { accept: "text/html", cookie: credentials["cookie"] ?? "" };
  const request = new Request(ORIGIN + path, { headers });
  return { ...createRequestContext(request, ""), endpoints: server.decorator.endpoints };
}

/** The API over HTTP, for loaders that believe to be on the server. */
function apiOverHttp(origin: string, credentials: Credentials): Api {
  const csrfToken = credentials[CSRF_HEADER] ?? "";
  const send = (path: string, init: RequestInit) => {
    const request = new Request(origin + path, init);
    request.headers.set("cookie", credentials["cookie"] ?? "");
    return fetch(request);
  };
  return createApi({ inProcess: true, carry: overHttp({ csrfToken, send }) });
}

// Loaders and actions ask the API in the process on the server, and over HTTP in the browser. They must get the same.

const { deps } = await testWorld();
const server = createServer(deps).listen({ hostname: "127.0.0.1", port: 0 });
/** Has no connections, so it knows no address of a client and asks for none. */
const unconnected = createServer(deps);
afterFile(async () => {
  await server.stop(true);
});
const origin = `http://127.0.0.1:${server.server?.port}`;
const world = await buildWorld(deps);

/** Who may do what is proven elsewhere: here each kind of refusal and of answer is enough. */
const callers = ["out", "player", "admin"] as const;

async function credentialsOf(name: CallerName): Promise<Credentials> {
  if (name === "out") return (await signedOutClient(unconnected)).credentials();
  return signInDirectly(deps, world.users[name]);
}

/** Differs between two equal answers: times and how long something took, random keys, ids of requests. */
const volatile = new Set([
  "serverTime",
  "until",
  "answerMs",
  "behindMs",
  "feedBehindMs",
  "formKey",
  "requestId",
  "room",
  "key",
  // Another one each time.
  "guestSuggestion",
  "suggestion",
]);

/** A copy that two equal answers have in common. What is deferred is awaited. */
async function settled(value: unknown): Promise<unknown> {
  if (value instanceof Deferred) return { path: value.path, outcome: await settled(await value.outcome) };
  if (Array.isArray(value)) return Promise.all(value.map(settled));
  if (typeof value === "string") return value.replace(/in \d+ minutes/, "in some minutes");
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return value;
  }
  // Whether a part is slow follows from how long it took.
  const isTimed = "answerMs" in value || "behindMs" in value;
  const entries = Object.entries(value).map(async ([key, inner]) => [
    key,
    volatile.has(key) || (isTimed && key === "state") ? "(differs)" : await settled(inner),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/** What the guards and loaders of a page make of the answers of an API. */
async function loadWith(path: string, credentials: Credentials, apiFor: (received: RequestContext) => Api) {
  const { received, context } = await openVisit({ deps, server: unconnected }, path, credentials);
  const loaded: unknown[] = [];
  const response = await runPage(received.request, context(apiFor(received)), async (result) => {
    loaded.push(await presentLoaded(result));
    return new Response();
  });
  return [response.status, response.headers.get("location"), ...loaded];
}

/** What the page is rendered from. A loader that returns nothing counts as none. */
async function presentLoaded(result: StaticHandlerContext): Promise<unknown> {
  const { loaderData, errors, statusCode, loaderHeaders } = result;
  const waits = Object.values(loaderHeaders).map((headers) => headers.get("retry-after"));
  const found = Object.fromEntries(Object.entries(loaderData).filter(([, data]) => data !== undefined));
  return settled({
    loaderData: found,
    errors: errors === null ? null : Object.entries(errors),
    statusCode,
    waits,
  });
}

describe("the loaders of a page get the same in the process and over HTTP:", () => {
  for (const key of Object.keys(pageAccess).filter((one) => one.startsWith("GET "))) {
    test(key.slice("GET ".length), async () => {
      const path = pathIn(world, key, null);
      for (const name of callers) {
        const credentials = await credentialsOf(name);
        const inProcess = await loadWith(path, credentials, (received) => createInProcessApi(deps, received));
        const overHttp = await loadWith(path, credentials, () => apiOverHttp(origin, credentials));
        expect(inProcess).toStrictEqual(overHttp);
      }
    });
  }
});

/** The answer of an endpoint, or its refusal. */
async function outcomeOf(asked: Promise<unknown>): Promise<{ refused: boolean; said: unknown }> {
  try {
    return { refused: false, said: await settled(await asked) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, message, body, retryAfterS } = error;
    // How long one should wait becomes shorter from one answer to the next.
    const waits = retryAfterS > 0;
    return { refused: true, said: await settled({ status, message, body, waits }) };
  }
}

/** What an endpoint answers or refuses in the process, and over HTTP. */
async function askBothWays(name: CallerName, method: string, path: string, options: RequestOptions) {
  const credentials = await credentialsOf(name);
  const api = createInProcessApi(deps, receive(unconnected, path, credentials));
  return [
    await outcomeOf(api.request(method, path, options)),
    await outcomeOf(apiOverHttp(origin, credentials).request(method, path, options)),
  ] as const;
}

test("in the process as over HTTP, too many attempts are counted together, and refused with the time to wait", async () => {
  const attempt = { data: { user: { email: "nobody@example.test" } } };
  for (let pair = 0; pair < rates.askForMail.perAccount / 2; pair += 1) {
    for (const { refused } of await askBothWays("out", "POST", "/users/password", attempt))
      expect(refused).toBe(false);
  }
  const outcomes = await askBothWays("out", "POST", "/users/password", attempt);
  for (const { said } of outcomes) {
    expect(said).toMatchObject({
      status: 429,
      message: "Too many attempts. Try again in some minutes.",
      waits: true,
      body: { code: "rate_limited" },
    });
  }
});

test("a page whose client has left asks nothing more", async () => {
  const api = createInProcessApi(deps, receive(unconnected, "/sessions", await credentialsOf("player")));
  const left = AbortSignal.abort(new Error("the client has left"));
  expect(api.get("/api/v1/sessions", { signal: left })).rejects.toThrow("the client has left");
});
