import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { testWorld } from "#tests/support/world.ts";
import { readerFor } from "./browser.ts";
import { linksOf, parsePage } from "./parse-page.ts";
import { buildViewers } from "./viewers.ts";

// Whom each page lets in, and where it leads the others, is in tests/http/page-access.ts.
const ACTION = "/sessions/the-show";

const { deps, db, build, server } = await testWorld();
const { readers } = await buildViewers(deps, server);
const { admin } = readers;
const [other, joined] = [await build.player(), await build.player()];
const show = await build.runningSession({ slug: "the-show", name: "The Show" });
await build.event("open", { sessionId: show.id, title: "Who scores next?" });
const order = { sessionId: show.id, actor: null };

const from = (path: string) => ({ referer: `http://localhost:3000${path}` });

test("an admin who opens the action from an outside page or from the sessions is redirected to the session's admin page", async () => {
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

test("an admin who opens the action from a tab of the session or another page of the app sees it", async () => {
  for (const path of [ACTION, `${ACTION}/admin`, `${ACTION}/history`, "/profile"]) {
    expect([path, (await admin.open(ACTION, from(path))).status]).toEqual([path, 200]);
  }
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
