import { beforeEach, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import { audit } from "#db/schema/audit.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { removedPlayers, sessions } from "#db/schema/sessions.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { deactivateUser } from "#src/people/users/manage-user.ts";
import { sessionHostsAnswer } from "#src/show/session-hosts/schemas.ts";
import { sessionsAnswer } from "#src/show/sessions/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { readerFor } from "#tests/pages/ssr/browser.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import { asApplication } from "#tests/support/application.ts";
import { type BuiltUser } from "#tests/support/build.ts";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld, worldOf } from "#tests/support/world.ts";

const { deps, db, build, read, signedIn, set } = await testWorld();
// With the rights of the application: a change without a line in the audit is refused.
const { server, client } = worldOf(asApplication(deps));
const [admin, office] = await signedIn.admin();

let show: SessionRow;
let user: BuiltUser;
let browser: TestClient;

beforeEach(async () => {
  await db.update(sessions).set({ active: false });
  show = await build.runningSession({ name: "Anna's wedding", settings: { private: true } });
  user = await build.player();
  browser = await client(user);
});

const pathOf = ({ slug }: { slug: string }) => `/api/v1/sessions/${slug}/session_hosts`;
const add = (named: string, session = show) =>
  office.send("POST", pathOf(session), { session_host: { user: named } });
const remove = (userId: number) => office.send("DELETE", `${pathOf(show)}/${userId}`);
/** The newest first. */
const linesOf = async () => (await read.audit({ sessionId: show.id })).toReversed();

test("an admin makes a user a host of a session by name or by email, in any case, once; the audit and the user are told", async () => {
  const added = await add(user.username.toUpperCase());
  expect(added.status).toBe(201);
  expect(v.parse(sessionHostsAnswer, added.body).sessionHosts).toMatchObject([
    { userId: user.id, username: user.username, email: user.email, madeBy: admin.username },
  ]);
  expect((await linesOf())[0]).toMatchObject({
    action: "add_session_host",
    actorId: admin.id,
    subjectId: user.id,
  });
  expect(await read.told(user.id)).toMatchObject([
    { title: "You are a host of Anna's wedding.", url: `/sessions/${show.slug}/admin` },
  ]);
  const before = await db.$count(audit);
  expect((await add((user.email ?? "").toUpperCase())).status).toBe(200);
  expect([
    await db.$count(audit),
    await db.$count(sessionHosts, eq(sessionHosts.sessionId, show.id)),
  ]).toEqual([before, 1]);
});

test("an admin makes a user a host of a session: a name that looks like somebody's address does not take that one's place", async () => {
  const other = await build.player();
  await set(users, other.id, { username: user.email ?? "" });
  const { sessionHosts: hosts } = v.parse(sessionHostsAnswer, (await add(user.email ?? "")).body);
  expect(hosts.map(({ userId }) => userId)).toEqual([user.id]);
});

test("a user is not made a host who is a guest, an admin, deactivated or unknown, or of a session that is not there; nothing changes", async () => {
  const { viewer: guest } = await createGuest(deps, { address: "", userAgent: null });
  const away = await build.player();
  await deactivateUser(deps, { userId: away.id, actor: admin, reason: null, ifVersion: null });
  const before = await read.digest();
  const unknown = ["belongs to no account"];
  for (const name of [guest.username, away.username, "nobody-has-this-name"])
    expect(await add(name)).toMatchObject({ status: 422, body: { errors: { user: unknown } } });
  expect(await add(admin.username)).toMatchObject({ status: 422, body: { code: "admin" } });
  expect((await add(user.username, { ...show, slug: "no-such-show" })).status).toBe(404);
  expect((await browser.send("POST", pathOf(show), { session_host: { user: user.username } })).status).toBe(
    403,
  );
  expect(await read.digest()).toBe(before);
});

test("a user is not made a host by another host, who can neither make nor remove hosts, nor read their addresses; nothing changes", async () => {
  await add(user.username);
  const second = await build.player();
  await add(second.username);
  const before = await read.digest();
  const refused = [
    await browser.send("POST", pathOf(show), { session_host: { user: second.username } }),
    await browser.send("DELETE", `${pathOf(show)}/${second.id}`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403]);
  const { sessionHosts: seen } = await browser.read(pathOf(show), sessionHostsAnswer);
  expect(seen.map(({ userId, email }) => [userId, email])).toEqual([
    [user.id, null],
    [second.id, null],
  ]);
  expect(await read.digest()).toBe(before);
});

/** What somebody sees of the private show and may do in it. */
async function standing() {
  const { sessions: listed } = await browser.read("/api/v1/sessions?per_page=100", sessionsAnswer);
  const event = await build.event("open", { sessionId: show.id, durationSeconds: 600 });
  const spot = (await read.spots(event.id)).true.id;
  const call = { call: { spotId: spot, wager: 1 } };
  const key = { "idempotency-key": crypto.randomUUID() };
  return {
    listed: listed.some(({ slug }) => slug === show.slug),
    reads: (await browser.get(`/api/v1/sessions/${show.slug}`)).status,
    runs: (await browser.get(`/api/v1/sessions/${show.slug}/audit`)).status,
    calls: (await browser.send("POST", "/api/v1/calls", call, key)).status,
  };
}

test("a private session exists for its host, who has not joined it, until the host is removed", async () => {
  expect(await standing()).toEqual({ listed: false, reads: 404, runs: 403, calls: 422 });
  await add(user.username);
  expect(await standing()).toEqual({ listed: true, reads: 200, runs: 200, calls: 201 });
  expect((await remove(user.id)).status).toBe(204);
  expect((await linesOf())[0]).toMatchObject({ action: "remove_session_host", subjectId: user.id });
  expect(await standing()).toMatchObject({ runs: 403 });
  const before = await db.$count(audit);
  expect((await remove(user.id)).status).toBe(204);
  expect(await db.$count(audit)).toBe(before);
});

test("a private session is open again to a removed player who becomes a host, and its host cannot be removed as a player", async () => {
  await office.send("DELETE", `/api/v1/sessions/${show.slug}/players/${user.id}`);
  await add(user.username);
  expect((await browser.get(`/api/v1/sessions/${show.slug}`)).status).toBe(200);
  const before = await read.digest();
  const refused = await office.send("DELETE", `/api/v1/sessions/${show.slug}/players/${user.id}`);
  expect(refused).toMatchObject({ status: 422, body: { code: "host" } });
  expect([await read.digest(), await db.$count(removedPlayers, eq(removedPlayers.userId, user.id))]).toEqual([
    before,
    0,
  ]);
});

test("a private session that is the active one is not named on the page of another session to that one's host", async () => {
  const own = await build.runningSession({ slug: `own-${user.id}` });
  await office.send("PUT", `/api/v1/sessions/${show.slug}/activate`);
  await add(user.username, own);
  const page = await server.handle(
    new Request(`http://localhost:3000/sessions/${own.slug}`, {
      headers: { ...browser.credentials(), accept: "text/html" },
    }),
  );
  const html = await page.text();
  expect([page.status, html.includes(show.slug), html.includes("Anna")]).toEqual([200, false, false]);
});

test("hosts go with their account, with the session, and into the export of one's data", async () => {
  await add(user.username);
  const pending = await build.session();
  await add(user.username, pending);
  const ofUser = eq(sessionHosts.userId, user.id);
  expect(await db.$count(sessionHosts, ofUser)).toBe(2);
  expect((await office.send("DELETE", `/api/v1/sessions/${pending.slug}`)).status).toBe(204);
  expect(await db.$count(sessionHosts, ofUser)).toBe(1);
  const exported = JSON.stringify((await browser.get("/api/v1/users/me/export.json")).body);
  expect(exported).toContain(`"slug":"${show.slug}"`);
  await givePassword(deps, user.id);
  const deleted = await browser.send("PUT", "/api/v1/users/me/delete", {
    user: { current_password: PASSWORD },
  });
  expect(deleted.status).toBe(204);
  expect(await db.$count(sessionHosts, ofUser)).toBe(0);
});

test("who becomes an admin needs no host's place, and loses it to nobody", async () => {
  await add(user.username);
  await db.insert(userRoles).values({ userId: user.id, role: "admin" });
  expect((await browser.get("/api/v1/blueprints")).status).toBe(200);
  await db.delete(userRoles).where(and(eq(userRoles.userId, user.id)));
  expect((await browser.get("/api/v1/blueprints")).status).toBe(403);
  expect((await browser.get(`/api/v1/sessions/${show.slug}/audit`)).status).toBe(200);
});

test("a host finds the session, has its tabs, and sees there nothing that is for admins alone", async () => {
  await add(user.username);
  await db.update(sessions).set({ active: false });
  const reader = await readerFor(deps, server, user);
  const path = `/sessions/${show.slug}`;
  const htmlOf = async (page: string) => (await reader.open(page)).html;
  expect((await htmlOf("/sessions")).includes(`href="${path}/admin"`)).toBe(true);
  const room = await htmlOf(`${path}/admin`);
  for (const tab of ["admin", "leaders", "chat"]) expect(room.includes(`href="${path}/${tab}"`)).toBe(true);
  for (const page of ["/blueprints", "/users", "/leaderboard"])
    expect(room.includes(`href="${page}"`)).toBe(false);
  const settings = await htmlOf(`${path}/edit`);
  expect(settings.includes(user.username)).toBe(true);
  for (const text of ["Add host", "Delete the session"]) expect(settings.includes(text)).toBe(false);
  const form = { intent: "remove_host", user_id: String(user.id) };
  expect((await reader.sendForm(`${path}/edit`, form)).status).toBe(403);
  expect(await db.$count(sessionHosts, eq(sessionHosts.userId, user.id))).toBe(1);
});
