import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { signIns, users } from "#db/schema/users.ts";
import { findBadWord } from "#src/base/find-bad-word.ts";
import { faceField } from "#src/people/avatars/schemas.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { keepRemoved } from "#src/people/users/judge-username.ts";
import { removeUnusedGuests } from "#src/people/users/remove-unused-guests.ts";
import { usernameField } from "#src/people/users/schemas.ts";
import { guestName, guestNamesCount, suggestGuest } from "#src/people/users/suggest-guest.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { createServer } from "#src/server.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { readWallet } from "#tests/support/books.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { testWorld } from "#tests/support/world.ts";
import { openBrowser, userIn } from "./person.ts";

const { deps, server, read, set, build } = await testWorld();

test("playing as a guest creates a guest with a wallet of $100.00, signed in and remembered", async () => {
  const client = await openBrowser(server);
  const response = await client.send("POST", "/users/guest");
  expect(response.status).toBe(201);
  const user = await userIn(response);
  expect(user).toMatchObject({
    gid: `gid://called-it/User/${user.id}`,
    email: null,
    username: `guest_${user.id}`,
    roles: [],
    guest: true,
  });
  expect(response.headers.getSetCookie()[0]).toContain("; Max-Age=1209600");
  const me = await client.get("/api/v1/users/me");
  expect(await me.json()).toMatchObject({
    user: { id: user.id, guest: true, wallet: { balanceCents: 10_000, availableBalanceCents: 10_000 } },
  });
  expect(await read.differences()).toEqual([]);
});

const rowOf = (id: number) => read.row(users, id);

async function buildGuest(): Promise<number> {
  const { viewer } = await createGuest(deps, { address: "198.51.100.7", userAgent: "A browser" });
  return viewer.id;
}

/** Moves the creation of the user into the past. */
function age(userId: number, days: number) {
  return set(users, userId, {
    createdAt: sql`clock_timestamp() - make_interval(days => ${days})`,
  });
}

test("a guest of 30 days ago who never placed a call is removed, and the books agree", async () => {
  const guest = await buildGuest();
  await writeNotifications(deps.pool.db, [
    { userId: guest, kind: "announcement", title: "Hello", body: "", url: null },
  ]);
  await age(guest, 31);
  const client = await signedInClient(deps, createServer(deps), { id: guest });

  await removeUnusedGuests(deps);
  const row = await rowOf(guest);
  expect(row).toMatchObject({ username: `gone_${guest}`, email: null, guest: true });
  expect(row.deactivatedAt).not.toBeNull();
  expect(await read.wallet(guest)).toMatchObject({ postedCents: 0, heldCents: 0 });
  expect(await deps.pool.db.$count(signIns, eq(signIns.userId, guest))).toBe(0);
  expect(await deps.pool.db.$count(notifications, eq(notifications.userId, guest))).toBe(0);
  expect((await client.get("/api/v1/users/me")).status).toBe(401);
  expect(await read.differences()).toEqual([]);

  await removeUnusedGuests(deps);
  expect(await rowOf(guest)).toEqual(row);
});

test("newer guests, callers, accounts and guests with an adjusted wallet are not removed", async () => {
  const young = await buildGuest();
  await age(young, 29);
  const caller = await buildGuest();
  const event = await build.event("open");
  await build.call({ userId: caller, eventId: event.id });
  const canceller = await buildGuest();
  const callId = await build.call({ userId: canceller, eventId: event.id });
  await cancelCall(deps, { viewer: { id: canceller }, callId });
  const corrected = await buildGuest();
  const admin = await build.admin();
  await adjustWithAudit(deps.pool.db, {
    userId: corrected,
    amountCents: 100,
    idempotencyKey: "guest",
    actorId: admin.id,
    reason: "A prize",
  });
  const player = await build.player();
  const old = [caller, canceller, corrected, player.id];
  for (const id of old) await age(id, 40);
  const all = [young, ...old];
  const before = await Promise.all(all.map((id) => rowOf(id)));

  await removeUnusedGuests(deps);
  expect(await Promise.all(all.map((id) => rowOf(id)))).toEqual(before);
  expect(await deps.pool.db.$count(signIns, eq(signIns.userId, corrected))).toBe(1);
  expect(await read.wallet(corrected)).toMatchObject({ postedCents: 10_100 });
  expect(await read.differences()).toEqual([]);
});

test("a guest who places a call at that moment stays with the call, or is removed without it", async () => {
  const event = await build.event("open");
  const guests = await Promise.all(Array.from({ length: 8 }, () => buildGuest()));
  for (const id of guests) await age(id, 31);
  await Promise.all([
    removeUnusedGuests(deps),
    ...guests.map((userId) => build.call({ userId, eventId: event.id }).catch(() => null)),
  ]);
  for (const id of guests) {
    const { deactivatedAt } = await rowOf(id);
    const called = (await deps.pool.db.$count(calls, eq(calls.userId, id))) > 0;
    expect(called).toBe(deactivatedAt === null);
  }
  expect(await read.differences()).toEqual([]);
});

test("the play money of a used wallet cannot be taken back", async () => {
  const guest = await buildGuest();
  const event = await build.event("open");
  await build.call({ userId: guest, eventId: event.id });
  const taking = inTransaction(deps.pool.db, (tx) =>
    tx.execute(sql`SELECT take_back_play_money(${guest}, 'Never used')`),
  );
  const refused: unknown = await taking.catch((error: unknown) => error);
  expect(refused).toMatchObject({ cause: { errno: "LK003" } });
  expect(await read.wallet(guest)).toMatchObject({ postedCents: 10_000, heldCents: 100 });
});

test("a guest starts with GUEST_GRANT, and gets the rest of $100.00 with an account, once", async () => {
  const other = await testDeps({ GUEST_GRANT: "5.50" });
  const person = await openBrowser(createServer(other));
  const { id } = await userIn(await person.send("POST", "/users/guest"));
  const balance = async () => (await readWallet(other.pool.db, id)).postedCents;
  expect(await balance()).toBe(550);
  const password = "nine lives and a day";
  const name = { email: "finished@example.test", username: "finished" };
  const user = { ...name, password, password_confirmation: password };
  expect((await person.send("POST", "/users/guest_registration", { body: { user } })).status).toBe(201);
  expect(await balance()).toBe(10_000);
});

const all = Array.from({ length: guestNamesCount }, (_, number) => guestName(number));

test("every name that can be suggested, with its longest number too, may be a username and is no insult", () => {
  expect(new Set(all.map((name) => name.toLowerCase())).size).toBe(guestNamesCount);
  expect(guestNamesCount).toBeGreaterThan(2_000);
  expect(all.filter((name) => !v.is(usernameField, `${name} 99999`) || findBadWord(name) !== null)).toEqual(
    [],
  );
});

test("a suggestion has a face, is another one each time, and writes nothing", async () => {
  const before = await deps.pool.db.$count(users);
  const suggested = await Promise.all(Array.from({ length: 20 }, () => suggestGuest(deps)));
  expect(suggested.filter(({ username }) => !all.includes(username))).toEqual([]);
  expect(suggested.filter(({ face }) => !v.is(faceField, face))).toEqual([]);
  expect(new Set(suggested.map(({ username }) => username)).size).toBeGreaterThan(10);
  expect(await deps.pool.db.$count(users)).toBe(before);
});

test("names that somebody has, or that a host took away, are not suggested: then they get a number", async () => {
  const [free = "", removed = "", ...taken] = all;
  await deps.pool.db.execute(sql`
    INSERT INTO ${users} (username, guest) SELECT upper(name), true FROM unnest(${sql.param(taken)}::text[]) AS name`);
  await keepRemoved(deps.pool.db, removed);
  const suggested = await Promise.all(Array.from({ length: 40 }, () => suggestGuest(deps)));
  for (const { username } of suggested) {
    if (username !== free) expect(username).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+ \d{1,3}$/);
    expect(v.is(usernameField, username)).toBe(true);
  }
  expect(suggested.map(({ username }) => username)).not.toContain(removed);
});
