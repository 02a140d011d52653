import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { signIns } from "#db/schema/users.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { can, requireHostOf } from "#src/people/sign-ins/require-host.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { PASSWORD, Person, buildMember, openBrowser } from "../users/person.ts";

const { deps, server, read, set, build } = await testWorld();

async function buildSignedIn({ remembered = false } = {}) {
  const user = await buildMember(deps);
  const client = await openBrowser(server);
  const body = { user: { email: user.email, password: PASSWORD, remember_me: remembered } };
  await client.send("POST", "/users/sign_in", { body });
  return { user, client };
}

/** Moves the times of a sign-in into the past. */
async function age(userId: number, column: "last_seen_at" | "expires_at", interval: string) {
  await deps.pool.db.execute(
    sql`UPDATE ${signIns} SET ${sql.identifier(column)} = clock_timestamp() - ${interval}::interval
      WHERE ${signIns.userId} = ${userId}`,
  );
}

const statusOf = async (client: Person) => (await client.get("/api/v1/users/me")).status;

test("after 30 idle minutes a sign-in has expired, and the answer says so", async () => {
  const { user, client } = await buildSignedIn();
  await age(user.id, "last_seen_at", "29 minutes 50 seconds");
  expect(await statusOf(client)).toBe(200);
  await age(user.id, "last_seen_at", "30 minutes");
  const response = await client.get("/api/v1/users/me");
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({
    error: "Your session expired. Please sign in again to continue.",
    code: "session_expired",
  });
  expect((await client.signIn(user.email)).status).toBe(200);
});

test("concurrent requests are authenticated separately, and a signed-out one is not", async () => {
  const people = [await buildSignedIn(), await buildSignedIn(), await buildSignedIn()];
  const gone = people[1];
  const ask = () => Promise.all(people.map(({ client }) => client.get("/api/v1/users/me")));
  const known: unknown[] = await Promise.all((await ask()).map((answer): Promise<unknown> => answer.json()));
  expect(known).toMatchObject(people.map(({ user }) => ({ user: { id: user.id } })));

  // The sign-in ends while others are looked up. A request after that must not get the result of an earlier look-up.
  const meanwhile = ask();
  await set(signIns, eq(signIns.userId, gone?.user.id ?? 0), {
    endedAt: sql`clock_timestamp()`,
  });
  const after = (await ask()).map(({ status }) => status);
  await meanwhile;
  expect(after).toEqual([200, 401, 200]);
});

test("a remembered sign-in may be idle for days, but not longer than its lifetime", async () => {
  const { user, client } = await buildSignedIn({ remembered: true });
  await age(user.id, "last_seen_at", "10 days");
  expect(await statusOf(client)).toBe(200);
  await age(user.id, "expires_at", "0 seconds");
  expect(await statusOf(client)).toBe(401);
});

test("the time a sign-in was last seen is updated at most once a minute", async () => {
  const { user, client } = await buildSignedIn();
  const lastSeen = async () => (await read.row(signIns, eq(signIns.userId, user.id))).lastSeenAt.getTime();
  await age(user.id, "last_seen_at", "59 seconds");
  const before = await lastSeen();
  await client.get("/api/v1/users/me");
  await client.get("/api/v1/users/me");
  expect(await lastSeen()).toBe(before);

  await age(user.id, "last_seen_at", "61 seconds");
  await client.get("/api/v1/users/me");
  await waitFor("the visit to be noted", async () => (await lastSeen()) > Date.now() - 30_000);
});

test("roles are read again on every request", async () => {
  const { user, client } = await buildSignedIn();
  const start = () => client.send("PUT", "/api/v1/sessions/nowhere/start");
  expect((await start()).status).toBe(403);
  await deps.pool.db.execute(sql`INSERT INTO user_roles (user_id, role) VALUES (${user.id}, 'admin')`);
  expect((await start()).status).toBe(404);
});

test("a cookie that was planted before the sign-in is useless after it", async () => {
  const user = await buildMember(deps);
  const person = await openBrowser(server);
  const planted = String(person.cookies.get("called_it_visitor"));
  await person.signIn(user.email);
  const thief = new Person(server);
  thief.cookies.set("called_it_visitor", planted);
  expect((await thief.get("/api/v1/users/me")).status).toBe(401);
});

const player = await findViewer(deps.pool.db, (await build.player()).id);
const host = { ...player, hostOf: [7] };
const admin = { ...player, roles: ["admin" as const] };
const asked = { params: { id: 7 }, query: () => ({}), body: () => ({}) };

test("admins run all sessions, hosts their own, and nobody else any", () => {
  expect([admin, host, player, null].map((viewer) => can(viewer, "run", { id: 7 }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(can(host, "run", { id: 8 })).toBe(false);
});

test("an endpoint for hosts that names no session refuses everybody but admins", async () => {
  const forgetful = { who: "host" } as const;
  expect(await refusalOf(requireHostOf(deps, forgetful, { ...asked, viewer: host }))).toMatchObject({
    status: 403,
  });
  await requireHostOf(deps, forgetful, { ...asked, viewer: admin });
  await requireHostOf(deps, { who: "host", session: "id" }, { ...asked, viewer: host });
});
