import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { calls as callsTable } from "#db/schema/calls.ts";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { buildAdmin, buildPlayer, buildRunningSession, buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { Reader, readerFor } from "./browser.ts";

const deps = await testDeps();
const server = createServer(deps);
const player = await readerFor(deps, server, await buildPlayer(deps));
const admin = await readerFor(deps, server, await buildAdmin(deps));
const visitor = await buildPlayer(deps);
const guest = await readerFor(deps, server, visitor);
await deps.pool.db.update(users).set({ guest: true }).where(eq(users.id, visitor.id));
const live = await buildRunningSession(deps, { slug: "friday-derby", name: "Friday Derby" });
const quiet = await buildSession(deps, { slug: "quiz-final", name: "Quiz Final" });

const everywhere = [
  "/sessions",
  "/sessions/friday-derby",
  "/sessions/friday-derby/history",
  "/sessions/friday-derby/leaders",
  "/leaderboard",
  "/profile",
  "/profile/wallet",
];

describe("signed out", () => {
  for (const path of everywhere.filter((path) => path !== "/sessions/friday-derby")) {
    test(`${path} redirects to the sign-in page without its content`, async () => {
      const page = await new Reader(server).open(path);
      expect(page.status).toBe(302);
      expect(page.location).toStartWith("/users/sign_in");
      expect(page.html).toBe("");
    });
  }

  test("the sign-in page redirects back to the requested page", async () => {
    const { location } = await new Reader(server).open("/sessions/friday-derby/history?show=won");
    const next = new URL(location ?? "", "http://localhost");
    expect(next.searchParams.get("return_to")).toBe("/sessions/friday-derby/history?show=won");
  });

  test("a form redirects to the sign-in page and changes nothing", async () => {
    const calls = await deps.pool.db.$count(callsTable);
    const path = "/sessions/friday-derby";
    const page = await new Reader(server).sendForm(path, { side: "true" }, { from: "/users/sign_in" });
    expect([page.status, page.location]).toEqual([
      302,
      "/users/sign_in?return_to=%2Fsessions%2Ffriday-derby",
    ]);
    expect(await deps.pool.db.$count(callsTable)).toBe(calls);
  });

  test("/ redirects to the sign-in page", async () => {
    expect((await new Reader(server).open("/")).location).toBe("/users/sign_in");
  });
});

describe("a player, while a session is active", () => {
  for (const path of ["/sessions", "/leaderboard"]) {
    test(`${path} redirects to the action of the active session`, async () => {
      const page = await player.open(path);
      expect([page.status, page.location]).toEqual([302, "/sessions/friday-derby"]);
    });
  }

  test("/ redirects to the sessions, and for an admin to the blueprints", async () => {
    expect((await player.open("/")).location).toBe("/sessions");
    expect((await admin.open("/")).location).toBe("/blueprints");
  });

  for (const path of everywhere.filter((path) => !["/sessions", "/leaderboard"].includes(path))) {
    test(`${path} is visible`, async () => {
      expect((await player.open(path)).status).toBe(200);
    });
  }
});

test("a player sees the list and the leaderboard while no session is active", async () => {
  const order = { sessionId: live.id, actor: null };
  await deactivateSession(deps, order);
  const pages = [await player.open("/sessions"), await player.open("/leaderboard")];
  await activateSession(deps, order);
  expect(pages.map((page) => page.status)).toEqual([200, 200]);
});

test("an admin sees the list and the leaderboard although a session is active", async () => {
  const fromInside = { referer: "http://localhost:3000/sessions/friday-derby/history" };
  for (const path of everywhere) expect((await admin.open(path, fromInside)).status).toBe(200);
});

describe("an admin who opens the action", () => {
  const action = "/sessions/friday-derby";
  const from = (path: string) => ({ referer: `http://localhost:3000${path}` });

  test("from an outside page or from the sessions is redirected to the session's admin page", async () => {
    const elsewhere = { referer: `https://example.org${action}/history` };
    const unreadable = { referer: "not an address" };
    for (const headers of [
      {},
      from("/sessions"),
      from("/sessions/"),
      from("/"),
      from("/users/sign_in"),
      elsewhere,
      unreadable,
    ]) {
      const page = await admin.open(action, headers);
      expect([headers, page.status, page.location]).toEqual([headers, 302, `${action}/admin`]);
    }
  });

  test("from a tab of the session or another page of the app sees it", async () => {
    for (const path of [action, `${action}/admin`, `${action}/history`, "/profile"]) {
      expect([path, (await admin.open(action, from(path))).status]).toEqual([path, 200]);
    }
  });
});

test("a player sees the action from every page", async () => {
  expect((await player.open("/sessions/friday-derby")).status).toBe(200);
});

test("a guest sees the action, and is redirected to /guest from all other pages, the history included", async () => {
  expect((await guest.open(`/sessions/${live.slug}`)).status).toBe(200);
  for (const path of everywhere.filter((path) => path !== `/sessions/${live.slug}`)) {
    const page = await guest.open(path);
    expect([path, page.status, page.location]).toEqual([path, 302, "/guest"]);
  }
});

test("a player's page has no admin tabs", async () => {
  const path = `/sessions/${quiet.slug}/history`;
  expect((await player.open(path)).html).not.toContain(`/sessions/${quiet.slug}/leaders`);
  expect((await admin.open(path)).html).toContain(`/sessions/${quiet.slug}/leaders`);
});

test("unknown paths and sessions are 404 inside the app's frame", async () => {
  for (const path of ["/nowhere", "/sessions/never-was", "/sessions/never-was/history", "/sessions/999999"]) {
    const page = await player.open(path);
    expect([path, page.status]).toEqual([path, 404]);
    expect(page.html).toContain("Nothing was called here");
    expect(page.html).toContain('class="topbar"');
  }
  expect((await new Reader(server).open("/nowhere")).status).toBe(404);
});
