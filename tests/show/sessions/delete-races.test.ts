import { expect, test } from "bun:test";
import { eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { inLongTransaction } from "#tests/support/in-long-transaction.ts";
import { untilBlocked } from "#tests/support/until-blocked.ts";
import { testWorld } from "#tests/support/world.ts";

// Each race is forced by locks: a request waits in the middle of its work until the session is deleted.

const { db, build, client, signedIn } = await testWorld({}, { poolSize: 10 });
const [player, asPlayer] = await signedIn.player();
const asAdmin = await client(await build.admin());

/** The deletes of destroySession, without its locks. */
async function deleteSession(tx: Transaction, sessionId: number): Promise<void> {
  const eventIds = tx.select({ id: events.id }).from(events).where(eq(events.sessionId, sessionId));
  await tx.delete(spots).where(inArray(spots.eventId, eventIds));
  await tx.delete(events).where(eq(events.sessionId, sessionId));
  await tx.delete(sessions).where(eq(sessions.id, sessionId));
}

/** Deletes a session after at least one request waits for the rows of its events' spots. */
function deleteBeforeSpotsAreRead(sessionId: number, startRequest = () => {}): Promise<void> {
  return inLongTransaction(db, async (tx) => {
    await tx.execute(sql`LOCK TABLE spots IN ACCESS EXCLUSIVE MODE`);
    startRequest();
    await untilBlocked(db);
    await deleteSession(tx, sessionId);
  });
}

test("an event is not found if its session is deleted while the event is read", async () => {
  const { id: sessionId } = await build.session();
  const { id } = await build.draft({ sessionId });
  let one: Promise<unknown> = Promise.resolve();
  let all: Promise<unknown> = Promise.resolve();
  await deleteBeforeSpotsAreRead(sessionId, () => {
    one = asAdmin.get(`/api/v1/events/${id}`);
    all = asAdmin.get(`/api/v1/events?session_id=${sessionId}`);
  });
  expect(await one).toMatchObject({ status: 404 });
  expect(await all).toMatchObject({ status: 200, body: { events: [] } });
});

const admin = (path: string, body: object) => () => asAdmin.send("POST", `/api/v1/${path}`, body);

test.each([
  [
    "a mute",
    (id: number) =>
      admin("mutes", { mute: { session_id: String(id), user_id: player.id, minutes: 5, reason: "Loud" } }),
  ],
  [
    "an exclusion",
    (id: number) =>
      admin("scores/exclusions", { exclusion: { session_id: id, user_id: player.id, reason: "Staff" } }),
  ],
  ["a message", (id: number) => admin("messages", { message: { session_id: String(id), body: "Hello" } })],
  ["a registration", (id: number) => () => asPlayer.send("POST", `/api/v1/sessions/${id}/registrations`)],
] as const)("%s is refused with 404 if its session is deleted before the insert", async (_, requestOf) => {
  const { id } = await build.session();
  let response: Promise<unknown> = Promise.resolve();
  await inLongTransaction(db, async (tx) => {
    await tx.select().from(sessions).where(eq(sessions.id, id)).for("update");
    response = requestOf(id)();
    await untilBlocked(db);
    await deleteSession(tx, id);
  });
  expect(await response).toMatchObject({ status: 404 });
});

test("a change of an event is refused with 404 if its session is deleted before the change", async () => {
  const { id: sessionId } = await build.session();
  const { id } = await build.draft({ sessionId });
  let response: Promise<unknown> = Promise.resolve();
  await inLongTransaction(db, async (tx) => {
    await tx.select().from(sessions).where(eq(sessions.id, sessionId)).for("update");
    response = asAdmin.send("PATCH", `/api/v1/events/${id}`, { event: { title: "Snow?" } });
    await untilBlocked(db);
    await deleteSession(tx, sessionId);
  });
  expect(await response).toMatchObject({ status: 404 });
});
