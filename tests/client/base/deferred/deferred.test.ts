import { beforeEach, describe, expect, test } from "bun:test";
import { RouterContextProvider } from "react-router";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { defer } from "#client/base/deferred/defer.ts";
import { Deferred } from "#client/base/deferred/deferred.ts";
import { type LoaderData, markDeferred, reviveDeferred } from "#client/base/deferred/hydrate-deferred.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import { buildPage, buildViewer } from "#tests/client/events/action-states.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

afterFile(openDom());
beforeEach(() => globalThis.history.replaceState(null, "", "/sessions"));

const signedIn = buildViewer();

type Asked = { inProcess: boolean; viewer?: ViewerView | null };

/** What the router gives to the loader of this page. */
function argsOf(path: string, { inProcess, viewer = signedIn }: Asked) {
  const url = new URL(path, "http://localhost");
  const context = new RouterContextProvider();
  context.set(
    apiContext,
    apiThatAnswers(() => Response.json(null), inProcess),
  );
  context.set(pageContext, { ...buildPage(), viewer });
  return { request: new Request(url), url, pattern: url.pathname, params: {}, context };
}

function apiThatAnswers(answer: () => Response, inProcess = false) {
  return createApi({ inProcess, carry: overHttp({ csrfToken: "", send: async () => answer() }) });
}

const onServer = { inProcess: true };
const inBrowser = { inProcess: false };

/** A read that ends when the test says so. */
function slowly() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { load: () => promise, resolve };
}

test("in the browser: a page opens with its data if that comes soon, so that nothing flickers", async () => {
  const part = await defer(argsOf("/users", inBrowser), async () => "data");
  expect(part.settled).toEqual({ data: "data" });
});

test.each([
  ["another page of the same list", "/users", "/users?page=2"],
  ["a page below it that shows the same part", "/history", "/history/7"],
])("in the browser %s waits for the data, so that the shown part stays", async (_what, path, next) => {
  globalThis.history.replaceState(null, "", path);
  const { load, resolve } = slowly();
  const loading = defer(argsOf(next, inBrowser), load, path);
  // Longer than the browser waits on the way to a page that is not shown yet.
  await defer(argsOf("/elsewhere", inBrowser), slowly().load);
  expect(await Promise.race([loading, Promise.resolve("pending")])).toBe("pending");
  resolve("data");
  expect((await loading).settled).toEqual({ data: "data" });
});

describe("a part that cannot be loaded", () => {
  const failing = (answer: () => Response, asked: Asked = onServer) => {
    const api = apiThatAnswers(answer);
    return defer(argsOf("/users?page=2", asked), () => api.request<never>("GET", "/api/v1/users"));
  };

  test.each([
    [
      "whose sign-in has ended meanwhile",
      signedIn,
      "/users/sign_in?return_to=%2Fusers%3Fpage%3D2&now=signed_out",
    ],
    ["who never was signed in", null, "/users/sign_in?return_to=%2Fusers%3Fpage%3D2"],
  ])("leads a viewer %s to the sign-in page, which says so, and back", async (_who, viewer, leadsTo) => {
    const refuse = () => Response.json({ error: "", code: "" }, { status: 401 });
    const outcome = await (await failing(refuse, { ...onServer, viewer })).outcome;
    expect("failure" in outcome && outcome.failure.leadsTo).toBe(leadsTo);
  });

  test("says nothing about a bug, which is kept for the log", async () => {
    const bug = new TypeError("secret");
    const part = await defer(argsOf("/users", onServer), () => Promise.reject(bug));
    expect(await part.outcome).toEqual({ failure: { status: 500, details: null, leadsTo: null } });
    expect(part.bug).toBe(bug);
  });
});

beforeEach(() => {
  delete globalThis.window.lateParts;
});

/** The loaders' data of a page with one part at hand and two that come later. */
function buildData() {
  const parts = [new Deferred("/users"), new Deferred("/users"), new Deferred("/users")] as const;
  parts[0].settle({ data: "at hand" });
  return { app: { wallet: null }, "/users": { a: parts[0], b: parts[1], c: parts[2], search: "ana" } };
}

/** As the data arrives in the browser. */
function sent(data: LoaderData): LoaderData {
  const arrived: LoaderData = JSON.parse(JSON.stringify(data));
  return arrived;
}

function partsIn(revived: LoaderData): Deferred[] {
  const page = revived["/users"];
  if (typeof page !== "object" || page === null) throw new Error("no page");
  return Object.values(page).filter((value) => value instanceof Deferred);
}

test("parts arrive in the browser: those at hand with the page, others before or after its code has started", async () => {
  const { marked, pending } = markDeferred(buildData());
  expect([...pending.keys()]).toEqual([2, 3]);
  globalThis.window.lateParts = [[2, { data: "early" }]];
  const { revived, missing } = reviveDeferred(sent(marked));
  const [a, b, c] = partsIn(revived);
  expect([a?.settled, b?.settled, c?.settled]).toEqual([{ data: "at hand" }, { data: "early" }, null]);
  expect(a?.path).toBe("/users");
  expect([...missing.keys()]).toEqual([3]);
  globalThis.window.lateParts.push([3, { data: "late" }]);
  expect(await c?.outcome).toEqual({ data: "late" });
  expect(missing.size).toBe(0);
});

test("other data of loaders stays as it is, also what looks like a part in a user's text", () => {
  const data = { app: null, "/users": { rows: [{ details: { deferredPath: "/", id: 1, settled: null } }] } };
  const { marked, pending } = markDeferred(data);
  expect(marked).toEqual(data);
  expect(pending.size).toBe(0);
  const { revived, missing } = reviveDeferred(sent(marked));
  expect(revived).toEqual(data);
  expect(missing.size).toBe(0);
});
