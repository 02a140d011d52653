import { expect, test } from "bun:test";
import { type LoaderFunctionArgs, RouterContextProvider } from "react-router";
import { ApiError, createApi } from "#client/base/api/api.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { forHosts } from "#client/ui/for-hosts.ts";
import type { Role } from "#db/lists/users.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { buildPage } from "#tests/client/events/action-states.ts";

const someone = {
  id: 7,
  gid: "gid://called-it/User/7",
  email: "ana@example.test",
  username: "ana",
  avatar: presentAvatar(null),
  hostOf: [],
  guest: false,
};

/** What the page of hosts answers a viewer with these roles when a read of it is refused: its address, or the error. */
async function answerTo(roles: Role[], status: number): Promise<string> {
  const context = new RouterContextProvider();
  context.set(pageContext, { ...buildPage(), viewer: { ...someone, roles } });
  context.set(
    apiContext,
    createApi({ inProcess: true, carry: () => Promise.reject(new Error("not asked")) }),
  );
  const url = new URL("http://localhost/sessions/derby/edit");
  const args: LoaderFunctionArgs = { request: new Request(url), url, pattern: "", params: {}, context };
  const refuse = () => Promise.reject(new ApiError(new Response(null, { status }), null));
  try {
    await forHosts(refuse)(args);
    return "";
  } catch (error) {
    return error instanceof Response ? String(error.headers.get("location")) : String(error);
  }
}

test("a user who opens the page of a session that somebody else hosts is led to the sessions, whichever of its reads is refused first", async () => {
  for (const status of [403, 404]) expect(await answerTo([], status)).toBe("/sessions");
});

test("an admin sees that there is no such session, and everybody that the server failed", async () => {
  expect(await answerTo(["admin"], 404)).toContain("404");
  expect(await answerTo([], 500)).toContain("500");
  expect(await answerTo(["admin"], 500)).toContain("500");
});
