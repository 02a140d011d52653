import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { testWorld } from "#tests/support/world.ts";
import { readerFor } from "./browser.ts";
import { linksOf, parsePage, textsOf } from "./parse-page.ts";
import { buildViewers, type ViewerName } from "./viewers.ts";

// Whom each page lets in, and where it leads the others, is in tests/http/page-access.ts.
const ACTION = "/sessions/the-show";
const NOT_THERE = "Nothing was called here";

const { deps, db, build, server } = await testWorld();
const { readers } = await buildViewers(deps, server);
const { admin } = readers;
const [other, joined] = [await build.player(), await build.player()];
const show = await build.runningSession({ slug: "the-show", name: "The Show" });
await build.event("open", { sessionId: show.id, title: "Who scores next?" });
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

test("signed out: a page redirects to the sign-in page without its content, and the sign-in page back to it", async () => {
  const page = await readers.out.open(`${ACTION}/history?show=won`);
  expect(page).toMatchObject({ status: 302, html: "" });
  const next = new URL(page.location ?? "", "http://localhost");
  expect([next.pathname, next.searchParams.get("return_to")]).toEqual([
    "/users/sign_in",
    `${ACTION}/history?show=won`,
  ]);
});

test("signed out: a form redirects to the sign-in page and changes nothing", async () => {
  const page = await readers.out.sendForm(ACTION, { side: "true" }, { from: "/users/sign_in" });
  expect([page.status, page.location]).toEqual([
    302,
    `/users/sign_in?return_to=${encodeURIComponent(ACTION)}`,
  ]);
  expect(await db.$count(calls)).toBe(0);
});

test.each<[path: string, headings: Awaited<ReturnType<typeof visitAll>>]>([
  ["/", { admin: "-> /blueprints", player: "-> /sessions", guest: `-> ${ACTION}`, out: "-> /users/sign_in" }],
  [
    ACTION,
    {
      admin: `-> ${ACTION}/admin`,
      player: "Who scores next?",
      guest: "Who scores next?",
      out: "Who scores next?",
    },
  ],
  [
    "/users/sign_in",
    {
      admin: "-> /sessions",
      player: "-> /sessions",
      guest: "Say it before it happens.",
      out: "Say it before it happens.",
    },
  ],
  [
    "/users/guest_registration",
    {
      admin: "-> /sessions",
      player: "-> /sessions",
      guest: "Finish your account",
      out: "Create your account",
    },
  ],
  // Nobody has one yet.
  ["/dashboard", { admin: NOT_THERE, player: NOT_THERE, guest: NOT_THERE, out: NOT_THERE }],
])("%s is shown by who opens it", async (path, headings) => {
  expect(await visitAll(path)).toEqual(headings);
});

describe("an admin who opens the action", () => {
  const from = (path: string) => ({ referer: `http://localhost:3000${path}` });

  test("from an outside page or from the sessions is redirected to the session's admin page", async () => {
    const elsewhere = { referer: `https://example.org${ACTION}/history` };
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
      const page = await admin.open(ACTION, headers);
      expect([headers, page.status, page.location]).toEqual([headers, 302, `${ACTION}/admin`]);
    }
  });

  test("from a tab of the session or another page of the app sees it", async () => {
    for (const path of [ACTION, `${ACTION}/admin`, `${ACTION}/history`, "/profile"]) {
      expect([path, (await admin.open(ACTION, from(path))).status]).toEqual([path, 200]);
    }
  });
});

test("the routes that lead on while a session is active: the join page takes a player who has joined to the active session, and while none is active to the joined one", async () => {
  const player = await readerFor(deps, server, joined);
  await build.session({ slug: "next-show" });
  const path = "/sessions/next-show/join";
  await deactivateSession(deps, order);
  const sent = await player.sendForm(path, { display_name: "Jo" });
  expect([sent.status, sent.location]).toEqual([303, "/sessions/next-show"]);
  expect(await player.open(path)).toMatchObject({ status: 302, location: "/sessions/next-show" });
  await activateSession(deps, order);
  expect(await player.open(path)).toMatchObject({ status: 302, location: ACTION });
});

test("the routes that lead on while a session is active: who hosts a session is led like every player, except from its own pages while it is theirs", async () => {
  const host = await build.player();
  const own = await build.session({ slug: "own-show", name: "Own Show" });
  const key = { sessionId: own.id, userId: host.id };
  await db.insert(sessionHosts).values({ ...key, madeById: host.id });
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
  expect(linksOf(profile, "#menu nav a")).toContain("Sessions you host /profile#hosted");
  await db.delete(sessionHosts).where(eq(sessionHosts.sessionId, own.id));
  for (const page of ["chat", "join"])
    expect([page, await statusOf(`/sessions/own-show/${page}`)]).toEqual([page, ACTION]);
});

test("the pages below a session have its name, and those of a session that does not exist are 404", async () => {
  for (const child of ["admin", "join", "leaders", "chat", "history"]) {
    const { html } = await admin.open(`${ACTION}/${child}`);
    expect([child, textsOf(parsePage(html), ".topbar-title")]).toEqual([child, ["The Show"]]);
    expect([child, (await admin.open(`/sessions/never-was/${child}`)).status]).toEqual([child, 404]);
  }
});
