import { expect, test } from "bun:test";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterContextProvider } from "react-router";
import { RouterProvider } from "react-router/dom";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { apiContext, AppContext, pageContext } from "#client/base/page/context.ts";
import { loadUsers, UsersScreen } from "#client/screens/users/users-screen.tsx";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { buildPage } from "#tests/client/events/action-states.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const closeDom = openDom();
afterFile(() => closeDom());

const none = presentAvatar(null);
const meta = {
  currentPage: 1,
  perPage: 25,
  totalPages: 2,
  totalCount: 26,
  serverTime: "2026-11-22T08:00:00Z",
};

/** The API's answer to a request for users that is still waiting for it. */
let answer: (email: string) => void;

/** A browser on another page of the app, in which the list of users can be opened. */
function openBrowser() {
  globalThis.history.replaceState(null, "", "/profile");
  const send = () =>
    new Promise<Response>((resolve) => {
      answer = (email) => {
        const user = {
          id: 7,
          gid: "gid://called-it/User/7",
          email,
          username: "ana",
          avatar: none,
          roles: [],
        };
        const states = {
          guest: false,
          lockedAt: null,
          deactivatedAt: null,
          lastVisitAt: null,
          createdAt: meta.serverTime,
        };
        resolve(Response.json({ users: [{ ...user, ...states }], meta }));
      };
    });
  const api = createApi({ inProcess: false, carry: overHttp({ csrfToken: "", send }) });
  const page = buildPage();
  const context = new RouterContextProvider();
  context.set(apiContext, api);
  context.set(pageContext, page);
  const router = createBrowserRouter(
    [
      { path: "/profile", element: <p>Profile</p> },
      { path: "/users", loader: loadUsers, Component: UsersScreen },
    ],
    { getContext: () => context },
  );
  const element = document.body.appendChild(document.createElement("div"));
  const root = createRoot(element);
  act(() =>
    root.render(
      <AppContext value={{ page, api }}>
        <RouterProvider router={router} />
      </AppContext>,
    ),
  );
  return {
    element,
    router,
    close: () => {
      act(() => root.unmount());
      router.dispose();
      element.remove();
    },
  };
}

/** Waits until the page shows a text. React renders at the end of each act(). */
const shows = (element: HTMLElement, text: string) =>
  waitFor(`the page to show ${text}`, async () => {
    await act(() => Bun.sleep(1));
    return element.textContent.includes(text);
  });

test("the list of users says Loading... until its data is there, and again on the way to its next page", async () => {
  const { element, router, close } = openBrowser();
  await act(() => router.navigate("/users"));
  await shows(element, "Loading...");
  expect(element.querySelector("table")).toBeNull();
  expect(element.querySelector("h1")?.textContent).toBe("Users");
  answer("ana@example.test");
  await shows(element, "ana@example.test");
  expect(element.textContent).not.toContain("Loading...");

  act(() => void router.navigate("/users?page=2"));
  await shows(element, "Loading...");
  expect(element.textContent).not.toContain("ana@example.test");
  answer("ben@example.test");
  await shows(element, "ben@example.test");
  expect(element.textContent).not.toContain("Loading...");
  close();
});
