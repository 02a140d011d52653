import { beforeEach, expect, test } from "bun:test";
import { RouterContextProvider } from "react-router";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { defer } from "#client/base/deferred/defer.ts";
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
])(
  "a part that cannot be loaded leads a viewer %s to the sign-in page, which says so, and back",
  async (_who, viewer, leadsTo) => {
    const refuse = () => Response.json({ error: "", code: "" }, { status: 401 });
    const outcome = await (await failing(refuse, { ...onServer, viewer })).outcome;
    expect("failure" in outcome && outcome.failure.leadsTo).toBe(leadsTo);
  },
);

test("a part that cannot be loaded says nothing about a bug, which is kept for the log", async () => {
  const bug = new TypeError("secret");
  const part = await defer(argsOf("/users", onServer), () => Promise.reject(bug));
  expect(await part.outcome).toEqual({ failure: { status: 500, details: null, leadsTo: null } });
  expect(part.bug).toBe(bug);
});

beforeEach(() => {
  delete globalThis.window.lateParts;
});

/** As the data arrives in the browser. */
function sent(data: LoaderData): LoaderData {
  const arrived: LoaderData = JSON.parse(JSON.stringify(data));
  return arrived;
}

test("other data of loaders stays as it is, also what looks like a part in a user's text", () => {
  const data = { app: null, "/users": { rows: [{ details: { deferredPath: "/", id: 1, settled: null } }] } };
  const { marked, pending } = markDeferred(data);
  expect(marked).toEqual(data);
  expect(pending.size).toBe(0);
  const { revived, missing } = reviveDeferred(sent(marked));
  expect(revived).toEqual(data);
  expect(missing.size).toBe(0);
});
