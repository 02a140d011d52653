import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { sessionStates } from "#db/lists/sessions.ts";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { messages } from "#db/schema/messages.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { authorizeChannel } from "#src/live/cable/channels.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { sessionAnswer } from "#src/show/sessions/schemas.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSessionIn, invalidFields, listChanges } from "./fixtures.ts";

const { deps, db, build, read, server, client, unchanged } = await testWorld();
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
  const headers = await signInDirectly(deps, player);
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
