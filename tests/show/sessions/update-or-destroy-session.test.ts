import { expect, test } from "bun:test";
import { eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { sessionStates } from "#db/lists/sessions.ts";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { messages } from "#db/schema/messages.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { authorizeChannel } from "#src/live/cable/channels.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { destroySession } from "#src/show/sessions/create-session.ts";
import { sessionAnswer } from "#src/show/sessions/schemas.ts";
import { updateSession } from "#src/show/sessions/update-session.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildDraft, buildSession } from "#tests/support/build.ts";
import { inLongTransaction } from "#tests/support/in-long-transaction.ts";
import { untilBlocked } from "#tests/support/until-blocked.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSessionIn, invalidFields, listChanges } from "./fixtures.ts";

const { deps, db, build, read, server, client, unchanged, signedIn, signIn } = await testWorld(
  {},
  { poolSize: 10 },
);
const admin = await build.admin();
const player = await build.player();
const asAdmin = await client(admin);

const PATH = "/api/v1/sessions";
const patch = (key: string | number, session: object) => asAdmin.send("PATCH", `${PATH}/${key}`, { session });

test.each(sessionStates.filter((state) => state !== "stopped"))(
  "PATCH /api/v1/sessions/:id changes the given fields of a %s session, keeps its slug, and broadcasts the change",
  async (state) => {
    const session = await buildSessionIn(deps, state);
    const { status, body } = await patch(session.slug, {
      name: "Renamed",
      starts_at: "2027-01-01T00:00:00Z",
      settings: { settlement_delay_seconds: 5 },
    });
    expect(status).toBe(200);
    expect(v.parse(sessionAnswer, body).session).toMatchObject({
      id: session.id,
      slug: session.slug,
      name: "Renamed",
      description: session.description,
      startsAt: "2027-01-01T00:00:00.000Z",
      state,
      settings: { leadSeconds: 10, settlementDelaySeconds: 5, smallRoom: false },
      version: session.version + 1,
    });
    expect((await listChanges(deps, session.id))[0]).toBe("update");
    expect(await read.lastAudit()).toMatchObject({
      actorId: admin.id,
      action: "update_session",
      sessionId: session.id,
      before: { name: session.name },
      after: { name: "Renamed", settings: { settlementDelaySeconds: 5 } },
    });
    expect((await patch(session.id, { starts_at: null })).body).toMatchObject({
      session: { startsAt: null },
    });
  },
);

test("PATCH /api/v1/sessions/:id: a new lead applies to the drafts of a pending session, and not to a live schedule", async () => {
  const pending = await build.session();
  const draft = await build.draft({ sessionId: pending.id });
  await patch(pending.id, { settings: { lead_seconds: 25 } });
  expect((await read.event(draft.id)).leadSeconds).toBe(25);
  const running = await buildSessionIn(deps, "running");
  const ofRunning = eq(events.sessionId, running.id);
  const before = await db.select().from(events).where(ofRunning);
  await patch(running.id, { settings: { lead_seconds: 25 } });
  expect(await db.select().from(events).where(ofRunning)).toEqual(before);
});

test.each<[object, string, string]>([...invalidFields, [{ slug: "another" }, "slug", "is invalid"]])(
  "PATCH /api/v1/sessions/:id with invalid data refuses %j, and nothing changes",
  async (changes, field, text) => {
    const session = await buildSessionIn(deps, "pending");
    const answer = await unchanged(() => patch(session.id, changes));
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [text] } } });
    expect(await listChanges(deps, session.id)).toEqual([]);
  },
);

test.each(["running", "paused"] as const)(
  "PATCH /api/v1/sessions/:id with invalid data: a small room is set before the start: a %s session keeps the setting, and nothing changes",
  async (state) => {
    const session = await buildSessionIn(deps, state);
    expect(
      await unchanged(() => patch(session.id, { name: "Ours", settings: { small_room: true } })),
    ).toMatchObject({ status: 422, body: { errors: { "settings.smallRoom": ["is invalid"] } } });
    // With its current value it is no change.
    expect((await patch(session.id, { name: "Ours", settings: { small_room: false } })).status).toBe(200);
    const pending = await buildSessionIn(deps, "pending");
    expect((await patch(pending.id, { settings: { small_room: true } })).status).toBe(200);
  },
);

test("PATCH /api/v1/sessions/:id with invalid data: a stopped session cannot be changed", async () => {
  const session = await buildSessionIn(deps, "stopped");
  expect(await unchanged(() => patch(session.id, { name: "Rewritten" }))).toMatchObject({
    status: 422,
    body: {
      errors: { state: ["cannot transition when Stopped"] },
      detail: "This session is over. It stays as it was played.",
    },
  });
});

const destroy = (key: string | number) => asAdmin.send("DELETE", `${PATH}/${key}`);

test("DELETE /api/v1/sessions/:id deletes a pending session with its events, and writes to the audit log", async () => {
  const session = await buildSessionIn(deps, "pending");
  const { id: destroyedId } = await build.draft({ sessionId: session.id });
  await asAdmin.send("PUT", `${PATH}/${session.id}/activate`);
  expect(await destroy(session.slug)).toMatchObject({ status: 204, body: null });
  expect((await asAdmin.get(`${PATH}/${session.id}`)).status).toBe(404);
  expect(await db.$count(events, eq(events.sessionId, session.id))).toBe(0);
  expect(await db.$count(spots, eq(spots.eventId, destroyedId))).toBe(0);
  expect(await db.$count(sessions, eq(sessions.active, true))).toBe(0);
  expect(await read.lastAudit()).toMatchObject({
    actorId: admin.id,
    action: "destroy_session",
    subjectId: session.id,
    before: { slug: session.slug },
  });
  expect((await destroy(session.id)).status).toBe(404);
});

test.each(["running", "paused", "stopped"] as const)(
  "DELETE /api/v1/sessions/:id of a session in use is refused for a %s one, whose events are history, and nothing changes",
  async (state) => {
    const session = await buildSessionIn(deps, state);
    expect(await unchanged(() => destroy(session.id))).toMatchObject({
      status: 422,
      body: {
        error: "Cannot delete record because dependent events exist",
        errors: { base: ["Cannot delete record because dependent events exist"] },
      },
    });
  },
);

test.each(["registrations", "messages"])(
  "DELETE /api/v1/sessions/:id of a session in use is refused where there are %s, and nothing changes",
  async (what) => {
    const session = await buildSessionIn(deps, "pending");
    const who = { sessionId: session.id, userId: player.id };
    if (what === "messages") await db.insert(messages).values({ ...who, body: "Hello", clientId: "1" });
    else await db.insert(registrations).values({ ...who, displayName: "Ana" });
    expect(await unchanged(() => destroy(session.id))).toMatchObject({
      status: 422,
      body: { error: `Cannot delete record because dependent ${what} exist` },
    });
  },
);

test("DELETE /api/v1/sessions/:id of a session in use is refused if the session has calls, and no wager moves", async () => {
  const { session, event } = await build.openShow();
  const callId = await build.call({ userId: player.id, eventId: event.id });
  expect(await unchanged(() => destroy(session.id))).toMatchObject({
    status: 422,
    body: { error: "Cannot delete record because dependent calls exist", code: "dependents" },
  });
  expect(await db.select({ state: calls.state }).from(calls).where(eq(calls.id, callId))).toEqual([
    { state: "placed" },
  ]);
});

test("a session is named by its slug and by its id without a leading zero, in every place", async () => {
  const player = await build.player();
  const { id, slug } = await build.runningSession();
  const headers = await signIn(player);
  const viewer = await findViewer(db, player.id);
  const statusOf = async (path: string, accept: string) => {
    const request = new Request(`http://localhost:3000${path}`, { headers: { ...headers, accept } });
    return (await server.handle(request)).status;
  };
  const findsIn = async (name: string) => {
    const identifier = JSON.stringify({ channel: "SessionsChannel", id: name });
    return {
      page: await statusOf(`/sessions/${name}`, "text/html"),
      session: await statusOf(`/api/v1/sessions/${name}`, "application/json"),
      events: await statusOf(`/api/v1/sessions/${name}/events`, "application/json"),
      leaders: await statusOf(`/api/v1/scores/leaders?session_id=${name}`, "application/json"),
      calls: await statusOf(`/api/v1/calls?session_id=${name}`, "application/json"),
      stream: (await authorizeChannel(db, { viewer, token: null }, identifier)) !== null,
    };
  };
  const all = (status: number) => ({
    page: status,
    session: status,
    events: status,
    leaders: status,
    calls: status,
    stream: status === 200,
  });
  for (const name of [slug, String(id)]) expect([name, await findsIn(name)]).toEqual([name, all(200)]);
  for (const name of [`0${id}`, "0", `${slug}-`, slug.toUpperCase()])
    expect([name, await findsIn(name)]).toEqual([name, all(404)]);
});

// Each race is forced by locks: a request waits in the middle of its work until the session is deleted.

const [reader, asPlayer] = await signedIn.player();

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

const posts = (path: string, body: object) => () => asAdmin.send("POST", `/api/v1/${path}`, body);

test.each([
  [
    "a mute",
    (id: number) =>
      posts("mutes", { mute: { session_id: String(id), user_id: reader.id, minutes: 5, reason: "Loud" } }),
  ],
  [
    "an exclusion",
    (id: number) =>
      posts("scores/exclusions", { exclusion: { session_id: id, user_id: reader.id, reason: "Staff" } }),
  ],
  ["a message", (id: number) => posts("messages", { message: { session_id: String(id), body: "Hello" } })],
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

const relays = await Relays.open(deps);
afterFile(async () => {
  await relays.stop();
  relays.listener.stop();
});

test("the deletion of a session is broadcast", async () => {
  const web = relays.start();
  const { id: sessionId, version } = await buildSession(web);
  await relays.sendAndClear(web);
  await destroySession(web, { sessionId, actor: admin });
  const [message] = await waitFor("the message", () => {
    const messages = relays.listener.session(sessionId);
    return messages.length > 0 && messages;
  });
  expect(message).toMatchObject({
    sourceType: "Session",
    eventType: "destroy",
    detail: { sessionId, version: version + 1 },
  });
});

test("a waiting fact of a deleted session does not block the facts of other sessions", async () => {
  const web = relays.start();
  const [deleted, other] = [await buildSession(web), await buildSession(web)];
  await buildDraft(web, { sessionId: deleted.id });
  await relays.sendAndClear(web);
  // The first process does not notify its relay.
  await updateSession(deps, { sessionId: deleted.id, actor: admin, changes: { name: "Never broadcast" } });
  await destroySession(deps, { sessionId: deleted.id, actor: admin });
  await updateSession(web, { sessionId: other.id, actor: admin, changes: { name: "Broadcast" } });
  await relays.allSent();
  await waitFor("the other session's message", () => relays.listener.session(other.id).length > 0);
});
