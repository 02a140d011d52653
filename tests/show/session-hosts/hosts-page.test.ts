import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations } from "#db/schema/sessions.ts";
import { CSRF_HEADER, CSRF_PARAM } from "#src/http/contract.ts";
import { deactivateSession } from "#src/show/sessions/activate-session.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

// The section of hosts on the page that edits a session, without JavaScript, and what else shows a host the way.

const ORIGIN = "http://localhost:3000";
const { deps, db, build, read, server } = await testWorld();
const show = await build.runningSession({ name: "Quiz night", settings: { private: true } });
// The list is read by those who are not led to a session that is active.
await deactivateSession(deps, { sessionId: show.id, actor: null });
const edit = `/sessions/${show.slug}/edit`;
const user = await build.player();
const admin = await signInDirectly(deps, await build.admin());
const host = await signInDirectly(deps, user);

type Credentials = Record<string, string>;

async function open(path: string, who: Credentials, form?: Record<string, string>) {
  const headers = { accept: "text/html", origin: ORIGIN, cookie: who["cookie"] ?? "" };
  const body = new URLSearchParams({ ...form, [CSRF_PARAM]: who[CSRF_HEADER] ?? "" });
  const init = form === undefined ? { headers } : { method: "POST", headers, body };
  const answer = await server.handle(new Request(ORIGIN + path, init));
  return { status: answer.status, to: answer.headers.get("location"), html: await answer.text() };
}
const isHost = () => db.$count(sessionHosts, eq(sessionHosts.userId, user.id));

test("an admin adds and removes a host with forms, and a refusal keeps what was typed", async () => {
  expect((await open(edit, admin)).html.includes("Only admins run it so far.")).toBe(true);
  const refused = await open(edit, admin, { intent: "add_host", user: "nobody-at-all" });
  expect([refused.status, await isHost()]).toEqual([422, 0]);
  expect(refused.html.includes("belongs to no account")).toBe(true);
  expect(refused.html.includes('value="nobody-at-all"')).toBe(true);
  const added = await open(edit, admin, { intent: "add_host", user: user.username });
  expect([added.status, added.to, await isHost()]).toEqual([303, edit, 1]);
  const page = await open(edit, admin);
  expect(page.html.includes(user.email ?? "")).toBe(true);
  expect(page.html.includes(`Remove ${user.username} as a host?`)).toBe(true);
  const removed = await open(edit, admin, { intent: "remove_host", user_id: String(user.id) });
  expect([removed.status, await isHost()]).toEqual([303, 0]);
});

test("a host finds the session, has its tabs, and sees there nothing that is for admins alone", async () => {
  await open(edit, admin, { intent: "add_host", user: user.username });
  const list = await open("/sessions", host);
  expect(list.html.includes(`href="/sessions/${show.slug}/admin"`)).toBe(true);
  const room = await open(`/sessions/${show.slug}/admin`, host);
  const tabs = ["/admin", "/leaders", "/chat"].map((tab) => `href="/sessions/${show.slug}${tab}"`);
  for (const tab of tabs) expect(room.html.includes(tab)).toBe(true);
  for (const path of ["/blueprints", "/users", "/leaderboard"])
    expect(room.html.includes(`href="${path}"`)).toBe(false);
  const settings = await open(edit, host);
  expect(settings.status).toBe(200);
  expect(settings.html.includes(user.username)).toBe(true);
  for (const text of ["Add host", "Delete the session"]) expect(settings.html.includes(text)).toBe(false);
  const refused = await open(edit, host, { intent: "remove_host", user_id: String(user.id) });
  expect([refused.status, await isHost()]).toEqual([403, 1]);
});

test("a host finds and removes a player without JavaScript, and makes a new code with the same press", async () => {
  const player = await build.player();
  const joined = { sessionId: show.id, userId: player.id, displayName: player.username };
  await db.insert(registrations).values(joined);
  const found = `/sessions/${show.slug}/admin?find=${player.username}`;
  const page = await open(found, host);
  expect(page.html.includes(`Remove ${player.username} from this show?`)).toBe(true);
  const form = { intent: "removePlayer", user_id: String(player.id), renew_code: "1" };
  const removed = await open(found, host, form);
  expect([removed.status, removed.to]).toEqual([303, found]);
  expect((await open(found, host)).html.includes("removed: needs a new code")).toBe(true);
  expect((await read.session(show.id)).joinCode).not.toBe(show.joinCode);
});
