import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { createServer } from "#src/server.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import {
  buildBlueprint,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { readerFor } from "./browser.ts";
import { linksOf, parsePage, textsOf } from "./parse-page.ts";
import { buildViewers, type ViewerName } from "./viewers.ts";

const ACTION = "/sessions/the-show";

const deps = await testDeps();
const server = createServer(deps);
const { readers } = await buildViewers(deps, server);
const [other, joined] = [await buildPlayer(deps), await buildPlayer(deps)];
const blueprint = await buildBlueprint(deps, [{}], { name: "Cup night" });
const show = await buildRunningSession(deps, { slug: "the-show", name: "The Show" });
const scored = await buildEvent(deps, "open", { sessionId: show.id, title: "Who scored?" });
await buildCall(deps, { userId: joined.id, eventId: scored.id, side: "true" });
await buildCall(deps, { userId: other.id, eventId: scored.id, side: "false" });
await resolveAndPay(deps, { eventId: scored.id, actor: null, result: "true" });
await buildEvent(deps, "open", { sessionId: show.id, title: "Who scores next?" });
const order = { sessionId: show.id, actor: null };

/** What a viewer gets: the page's heading, or "-> " and the path of a redirect. */
async function visit(name: ViewerName, path: string): Promise<string> {
  const { html, location } = await readers[name].open(path);
  if (location !== null) return `-> ${new URL(location, "http://localhost").pathname}`;
  return textsOf(parsePage(html), "h1").join(" and ");
}

async function visitAll(path: string) {
  return {
    admin: await visit("admin", path),
    player: await visit("player", path),
    guest: await visit("guest", path),
    out: await visit("out", path),
  };
}

/** `requires auth`: only for admins. `redirectActive`: while a session is active it takes players to the action. */
type Flag = "requires auth" | "redirectActive";

/** The routes that guests may not open, with their headings for an admin. */
const routes: [path: string, heading: string, flags: Flag[]][] = [
  ["/sessions", "Sessions", ["redirectActive"]],
  ["/sessions/new", "New session", ["requires auth"]],
  ["/sessions/the-show/edit", "Edit The Show", ["requires auth"]],
  [`/sessions/${show.id}/edit`, "Edit The Show", ["requires auth"]],
  ["/sessions/the-show/leaders", "Leaders", []],
  ["/sessions/the-show/history", "Your calls", []],
  ["/sessions/the-show/join", "Join The Show", ["redirectActive"]],
  ["/sessions/the-show/chat", "Chat", ["redirectActive"]],
  // For browsers without JavaScript. With JavaScript it leads on: tests/client/base/page/guard.test.ts.
  ["/sessions/the-show/live_chat", "Chat", []],
  ["/sessions/the-show/admin", "The Show", ["requires auth"]],
  ["/profile", "Profile", []],
  ["/profile/account", "Account", []],
  ["/profile/avatar", "Picture", []],
  ["/profile/wallet", "Wallet", []],
  ["/profile/details", "Details", []],
  ["/blueprints", "Blueprints", ["requires auth"]],
  ["/blueprints/new", "New blueprint", ["requires auth"]],
  [`/blueprints/${blueprint.id}`, "Cup night", ["requires auth"]],
  [`/blueprints/${blueprint.id}/edit`, "Cup night", ["requires auth"]],
  ["/leaderboard", "Leaderboard", ["redirectActive"]],
  [`/leaderboard/${other.id}`, other.username, ["redirectActive"]],
  ["/users", "Users", ["requires auth", "redirectActive"]],
  [`/users/${other.id}`, other.username, ["requires auth", "redirectActive"]],
];

describe("the routes", () => {
  test.each(routes)("%s has the heading %p and the flags %p", async (path, heading, flags) => {
    const onlyAdmins = flags.includes("requires auth");
    const idle = onlyAdmins ? "-> /sessions" : heading;
    const everybodyElse = { guest: "-> /guest", out: "-> /users/sign_in" };
    await deactivateSession(deps, order);
    const whileIdle = await visitAll(path);
    await activateSession(deps, order);
    const whileActive = await visitAll(path);
    expect(whileIdle).toEqual({ admin: heading, player: idle, ...everybodyElse });
    expect(whileActive).toEqual({
      admin: heading,
      player: flags.includes("redirectActive") ? `-> ${ACTION}` : idle,
      ...everybodyElse,
    });
  });
});

describe("the routes with rules of their own", () => {
  test("/ redirects to the blueprints, players to the sessions, and guests to the live session", async () => {
    expect(await visitAll("/")).toEqual({
      admin: "-> /blueprints",
      player: "-> /sessions",
      guest: `-> ${ACTION}`,
      out: "-> /users/sign_in",
    });
  });

  test("/guest is for guests only", async () => {
    expect(await visitAll("/guest")).toEqual({
      admin: "-> /sessions",
      player: "-> /sessions",
      guest: "Welcome, guest user!",
      out: "-> /users/sign_in",
    });
  });

  test("how a result was settled is a part of the action, which guests may open too", async () => {
    const settled = "How this was settled";
    expect(await visitAll(`${ACTION}/events/${scored.id}`)).toEqual({
      admin: settled,
      player: settled,
      guest: settled,
      out: "-> /users/sign_in",
    });
  });

  test("the path of a session is its action, which guests may open too", async () => {
    expect(await visitAll(ACTION)).toEqual({
      admin: `-> ${ACTION}/admin`,
      player: "Who scores next?",
      guest: "Who scores next?",
      out: "Who scores next?",
    });
  });
});

describe("the routes that lead on while a session is active", () => {
  test("the join page takes a player who has joined to the active session, and while none is active to the joined one", async () => {
    const player = await readerFor(deps, server, joined);
    await buildSession(deps, { slug: "next-show" });
    const path = "/sessions/next-show/join";
    await deactivateSession(deps, order);
    const sent = await player.sendForm(path, { display_name: "Jo" });
    expect([sent.status, sent.location]).toEqual([303, "/sessions/next-show"]);
    expect(await player.open(path)).toMatchObject({ status: 302, location: "/sessions/next-show" });
    await activateSession(deps, order);
    expect(await player.open(path)).toMatchObject({ status: 302, location: ACTION });
  });

  test("who hosts a session is led like every player, except from its own pages while it is theirs", async () => {
    const host = await buildPlayer(deps);
    const own = await buildSession(deps, { slug: "own-show", name: "Own Show" });
    const key = { sessionId: own.id, userId: host.id };
    await deps.pool.db.insert(sessionHosts).values({ ...key, madeById: host.id });
    const reader = await readerFor(deps, server, host);
    const statusOf = async (path: string) => {
      const { status, location } = await reader.open(path);
      return location ?? status;
    };
    for (const path of ["/sessions", "/leaderboard", `/leaderboard/${other.id}`, "/users"])
      expect([path, await statusOf(path)]).toEqual([path, ACTION]);
    for (const page of ["chat", "join"]) {
      expect([page, await statusOf(`/sessions/own-show/${page}`)]).toEqual([page, 200]);
      expect([page, await statusOf(`${ACTION}/${page}`)]).toEqual([page, ACTION]);
    }
    const profile = parsePage((await reader.open("/profile")).html);
    expect(linksOf(profile, "#hosted a")).toContain("Admin: Own Show /sessions/own-show/admin");
    await deps.pool.db.delete(sessionHosts).where(eq(sessionHosts.sessionId, own.id));
    for (const page of ["chat", "join"])
      expect([page, await statusOf(`/sessions/own-show/${page}`)]).toEqual([page, ACTION]);
  });
});

describe("the pages for those without an account", () => {
  test("/users/sign_in is the sign-in page, and not a user's", async () => {
    expect(await visitAll("/users/sign_in")).toEqual({
      admin: "-> /sessions",
      player: "-> /sessions",
      guest: "Say it before it happens.",
      out: "Say it before it happens.",
    });
    const { html } = await readers.out.open("/users/sign_in");
    expect(textsOf(parsePage(html), 'form button[type="submit"]')).toContain("Sign in");
  });

  test("/users/guest_registration completes a guest's account, and creates one for others", async () => {
    expect(await visitAll("/users/guest_registration")).toEqual({
      admin: "-> /sessions",
      player: "-> /sessions",
      guest: "Finish your account",
      out: "Create your account",
    });
  });
});

test("nobody has a dashboard yet", async () => {
  expect([...new Set(Object.values(await visitAll("/dashboard")))]).toEqual(["Nothing was called here"]);
});

describe("the pages below a session", () => {
  test.each(["admin", "join", "leaders", "chat", "history"])(
    "%s has the session's name and tabs",
    async (child) => {
      const { html } = await readers.admin.open(`${ACTION}/${child}`);
      const page = parsePage(html);
      expect(textsOf(page, ".topbar-title")).toEqual(["The Show"]);
      expect(textsOf(page, 'nav[aria-label="Session"] a')).toEqual([
        "Admin",
        "Action",
        "Leaders",
        "Chat",
        "History",
      ]);
    },
  );

  test("a session that does not exist has none of them", async () => {
    for (const child of ["", "/admin", "/join", "/leaders", "/chat", "/history"]) {
      const { status } = await readers.admin.open(`/sessions/never-was${child}`);
      expect([child, status]).toEqual([child, child === "" ? 302 : 404]);
    }
  });
});
