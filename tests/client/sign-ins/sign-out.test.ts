import { expect, test } from "bun:test";
import { RouterContextProvider } from "react-router";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { apiContext } from "#client/base/page/context.ts";
import { signOut } from "#client/sign-ins/sign-out.ts";

/** Signs out while the API answers so. Returns what was sent, and where the page then leads. */
async function leave(answer: () => Response) {
  const sent: { request: string; token: string | null }[] = [];
  const context = new RouterContextProvider();
  const api = createApi({
    inProcess: false,
    carry: overHttp({
      csrfToken: "the page's token",
      send: async (path, { method, headers }) => {
        sent.push({ request: `${method} ${path}`, token: new Headers(headers).get("x-csrf-token") });
        return answer();
      },
    }),
  });
  context.set(apiContext, api);
  const url = new URL("http://localhost/users/sign_out");
  const args = { url, pattern: url.pathname, params: {}, context };
  const left = await signOut({ ...args, request: new Request(url, { method: "POST" }) });
  return { sent, status: left.status, location: left.headers.get("location") };
}

const request = { request: "DELETE /users/sign_out", token: "the page's token" };

test("a page signs out by DELETE with its token, and leads to the sign-in page", async () => {
  expect(await leave(() => new Response(null, { status: 204 }))).toEqual({
    sent: [request],
    status: 302,
    location: "/users/sign_in",
  });
});

test("a sign-in that has ended already leads there too", async () => {
  const ended = () =>
    Response.json({ error: "You need to sign in.", code: "unauthenticated" }, { status: 401 });
  expect(await leave(ended)).toMatchObject({ sent: [request], location: "/users/sign_in" });
});

test("a sign-out that failed is not taken for one", async () => {
  const failed = () => Response.json({ error: "Try again.", code: "unavailable" }, { status: 503 });
  expect(await leave(failed).catch(String)).toBe("ApiError: Try again.");
});
