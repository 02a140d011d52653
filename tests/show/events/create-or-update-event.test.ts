import { describe, expect, test } from "bun:test";
import { and, asc, eq } from "drizzle-orm";
import * as v from "valibot";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { type EventState, eventStates } from "#db/lists/events.ts";
import { audit } from "#db/schema/audit.ts";
import { events } from "#db/schema/events.ts";
import { createServer } from "#src/server.ts";
import { eventAnswer, eventsAnswer, type UpdateEventBody } from "#src/show/events/schemas.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import {
  buildAdmin,
  buildCall,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
  readEvent,
  readSpots,
} from "#tests/support/build.ts";
import { signedInClient, signedOutClient, type TestClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();
const server = createServer(deps);
const admin = await buildAdmin(deps);
const signedOut = await signedOutClient(server);
const asPlayer = await signedInClient(deps, server, await buildPlayer(deps));
const asAdmin = await signedInClient(deps, server, admin);

const post = (event: Record<string, unknown>) => asAdmin.send("POST", "/api/v1/events", { event });
const countEvents = () => deps.pool.db.$count(events);

describe("POST /api/v1/events", () => {
  test("creates a draft with two spots at the end of its session, with defaults for missing fields", async () => {
    const session = await buildSession(deps, { settings: { leadSeconds: 7 } });
    await buildDraft(deps, { sessionId: session.id, position: 4 });
    const { status, body } = await post({ session_id: session.id, title: "  Will it rain?  " });
    expect(status).toBe(201);
    const { event } = v.parse(eventAnswer, body);
    expect(event).toMatchObject({
      sessionId: session.id,
      position: 5,
      title: "Will it rain?",
      trueLabel: "True",
      falseLabel: "False",
      state: "draft",
      durationSeconds: 30,
      minWagerCents: 1,
      maxWager: null,
    });
    expect(await readSpots(deps, event.id)).toMatchObject({
      true: { state: "closed" },
      false: { state: "closed" },
    });
    expect(await readEvent(deps, event.id)).toMatchObject({ leadSeconds: 7, createdById: admin.id });
    const lines = await deps.pool.db.select().from(audit).where(eq(audit.subjectId, event.id));
    expect(lines).toMatchObject([{ action: "create_event", actorId: admin.id, sessionId: session.id }]);
  });
});

describe("POST /api/v1/events with all fields", () => {
  test("sets every field, and inserts the event at a position", async () => {
    const session = await buildSession(deps);
    const old = await buildDraft(deps, { sessionId: session.id, position: 1 });
    const { body } = await post({
      session_id: session.id,
      title: "Who wins?",
      description: "The last set",
      trueLabel: "Ana",
      false_label: "Ben",
      start_mode: "offset",
      offset_seconds: 90,
      duration_seconds: 45,
      resolve_within_seconds: 20,
      min_wager: 0.5,
      max_wager: 20,
      auto_result: "random",
      position: 1,
    });
    const { event } = v.parse(eventAnswer, body);
    expect(event).toMatchObject({
      trueLabel: "Ana",
      falseLabel: "Ben",
      minWagerCents: 50,
      maxWagerCents: 2_000,
    });
    const rows = await deps.pool.db
      .select()
      .from(events)
      .where(eq(events.sessionId, session.id))
      .orderBy(asc(events.position));
    expect(rows.map(({ id, position }) => [id, position])).toEqual([
      [event.id, 1],
      [old.id, 2],
    ]);
    expect(rows[0]).toMatchObject({
      startMode: "offset",
      offsetSeconds: 90,
      durationSeconds: 45,
      autoResult: "random",
    });
  });
});

describe("POST /api/v1/events with ask", () => {
  test("opens the event at once for its whole duration in a running session", async () => {
    const session = await buildRunningSession(deps);
    const { status, body } = await post({
      session_id: session.id,
      title: "Next serve in?",
      true_label: "Yes",
      false_label: "No",
      duration_seconds: 15,
      ask: true,
    });
    expect(status).toBe(201);
    const { event } = v.parse(eventAnswer, body);
    expect(event).toMatchObject({
      state: "open",
      spots: [
        { state: "open", label: "Yes" },
        { state: "open", label: "No" },
      ],
    });
    expect(Date.parse(event.closesAt ?? "") - Date.parse(event.openedAt ?? "")).toBe(15_000);
    expect(await readEvent(deps, event.id)).toMatchObject({ nextTransition: "close_event" });
  });
});

describe("POST /api/v1/events refuses, and creates nothing:", () => {
  test.each([
    [{ title: "" }, { title: ["can't be blank"] }],
    [{ title: "x".repeat(141) }, { title: ["is too long (maximum is 140 characters)"] }],
    [{ description: "x".repeat(501) }, { description: ["is too long (maximum is 500 characters)"] }],
    [{ true_label: "x".repeat(26) }, { trueLabel: ["is too long (maximum is 25 characters)"] }],
    [{ false_label: " " }, { falseLabel: ["can't be blank"] }],
    [{ duration_seconds: 4 }, { durationSeconds: ["must be greater than or equal to 5"] }],
    [{ duration_seconds: 1801 }, { durationSeconds: ["must be less than or equal to 1800"] }],
    [{ duration_seconds: "30" }, { durationSeconds: ["is not a number"] }],
    [{ min_wager: 2, max_wager: 1 }, { maxWager: ["must be greater than or equal to 2"] }],
    [{ min_wager: 0 }, { minWager: ["must be greater than 0"] }],
    [{ max_wager: 1.005 }, { maxWager: ["is invalid"] }],
    [{ auto_result: "maybe" }, { autoResult: ["is invalid"] }],
    [{ ask: "yes" }, { ask: ["is invalid"] }],
    [{ state: "open" }, { state: ["is invalid"] }],
    [{ session_id: 999_999_999 }, { session: ["must exist"] }],
    [{ session_id: undefined }, { sessionId: ["is required"] }],
  ])("%j", async (given, errors) => {
    const session = await buildRunningSession(deps);
    const before = await countEvents();
    expect(await post({ session_id: session.id, title: "Will it?", ...given })).toMatchObject({
      status: 422,
      body: { errors },
    });
    expect(await countEvents()).toBe(before);
  });
});

describe("POST /api/v1/events refuses, and creates nothing, for", () => {
  test("`ask` in a session that is not running, and any event in a stopped one", async () => {
    const [pending, running] = await Promise.all([buildSession(deps), buildRunningSession(deps)]);
    const order = { sessionId: running.id, actor: admin };
    await pauseSession(deps, order);
    const before = await countEvents();
    for (const { id } of [pending, running]) {
      expect(await post({ session_id: id, title: "Now?", ask: true })).toMatchObject({
        status: 422,
        body: { errors: { ask: ["is invalid"] }, detail: "The session is not running." },
      });
    }
    expect(await post({ session_id: running.id, title: "Now?", position: 1 })).toMatchObject({
      status: 422,
      body: { errors: { position: ["is invalid"] } },
    });
    await stopSession(deps, order);
    expect(await post({ session_id: running.id, title: "Now?" })).toMatchObject({
      status: 422,
      body: { errors: { session: ["is invalid"] }, detail: "The session is over." },
    });
    expect(await countEvents()).toBe(before);
  });

  test("a player, and a body without its root key", async () => {
    const session = await buildSession(deps);
    const before = await countEvents();
    const body = { event: { session_id: session.id, title: "Mine?" } };
    expect((await signedOut.send("POST", "/api/v1/events", body)).status).toBe(401);
    expect((await asPlayer.send("POST", "/api/v1/events", body)).status).toBe(403);
    expect((await asAdmin.send("POST", "/api/v1/events", body.event)).status).toBe(400);
    expect(await countEvents()).toBe(before);
  });
});

describe("GET /api/v1/events", () => {
  test("lists published events for players, all but destroyed ones for admins, newest first", async () => {
    const { id: sessionId } = await buildRunningSession(deps);
    const open = await buildEvent(deps, "open", { sessionId });
    const hidden = await buildEvent(deps, "hidden", { sessionId });
    await buildEvent(deps, "soft_destroyed", { sessionId });
    const list = async (visitor: TestClient, query: string) => {
      const { status, body } = await visitor.get(`/api/v1/events?session_id=${sessionId}${query}`);
      expect(status).toBe(200);
      const { events: found, meta } = v.parse(eventsAnswer, body);
      return { ids: found.map(({ id }) => id), total: meta.totalCount };
    };
    expect(await list(asPlayer, "")).toEqual({ ids: [open.id], total: 1 });
    expect((await list(asAdmin, "&per_page=2")).total).toBe(3);
    expect((await list(asAdmin, "&per_page=2")).ids).toEqual([hidden.id, open.id]);
    expect(await list(asAdmin, "&state=hidden")).toEqual({ ids: [hidden.id], total: 1 });
    expect(await list(asPlayer, "&state=hidden")).toEqual({ ids: [], total: 0 });
  });

  test("needs a sign-in and valid filters", async () => {
    expect((await signedOut.get("/api/v1/events")).status).toBe(401);
    for (const query of ["state=gone", "session_id=abc", "session_id=1.5", "page=0"]) {
      expect((await asPlayer.get(`/api/v1/events?${query}`)).status).toBe(422);
    }
  });
});

const update = (eventId: number, changes: UpdateEventBody) =>
  updateEvent(deps, { eventId, actor: admin, changes });
const states = eventStates.filter((state) => state !== "soft_destroyed");
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);
const between = (from: Date | null, to: Date | null) =>
  ((to?.getTime() ?? 0) - (from?.getTime() ?? 0)) / 1_000;

const changesOf: [name: string, changes: UpdateEventBody, states: readonly EventState[]][] = [
  ["title", { title: "Another?", description: "More" }, states],
  ["trueLabel", { trueLabel: "Aye" }, states],
  ["durationSeconds", { durationSeconds: 300 }, ["draft", "visible", "open"]],
  ["resolveWithinSeconds", { resolveWithinSeconds: 300 }, ["draft", "visible", "open", "closed"]],
  ["minWager", { minWager: 0.5 }, ["draft"]],
  ["maxWager", { maxWager: 5 }, ["draft"]],
  ["autoResult", { autoResult: "true" }, ["draft"]],
  ["offsetSeconds", { offsetSeconds: 5 }, ["draft"]],
  ["startMode", { startMode: "by_hand" }, ["draft"]],
];

describe.each(changesOf)("%s", (field, changes, allowed) => {
  test.each(states.filter((state) => allowed.includes(state)))(
    "changes when %s, with an audit line",
    async (state) => {
      const event = await buildEvent(deps, state);
      const updated = await update(event.id, changes);
      expect(updated.version).toBe(event.version + 1);
      expect(updated.state).toBe(state);
      const ofEvent = and(eq(audit.subjectId, event.id), eq(audit.action, "update_event"));
      expect(await deps.pool.db.select().from(audit).where(ofEvent)).toHaveLength(1);
      expect(await update(event.id, changes)).toEqual(updated);
    },
  );

  test.each(states.filter((state) => !allowed.includes(state)))(
    "is refused when %s, and nothing changes",
    async (state) => {
      const event = await buildEvent(deps, state);
      const refusal = await refusalOf(update(event.id, changes));
      expect(refusal.details.errors).toEqual({ [field]: ["is invalid"] });
      expect(await readEvent(deps, event.id)).toEqual(event);
    },
  );
});

test("the question and its labels cannot change after the first call, until it is cancelled", async () => {
  const event = await buildEvent(deps, "open");
  const player = await buildPlayer(deps);
  const callId = await buildCall(deps, { userId: player.id, eventId: event.id });
  const refusal = await refusalOf(update(event.id, { falseLabel: "Nay" }));
  expect(refusal.details).toMatchObject({
    errors: { falseLabel: ["is invalid"] },
    detail: "Somebody has called: the question and its labels stand.",
  });
  expect((await refusalOf(update(event.id, { title: "Still?" }))).status).toBe(422);
  await cancelCall(deps.pool.db, { userId: player.id, callId });
  expect((await update(event.id, { falseLabel: "Nay" })).falseLabel).toBe("Nay");
});

describe("times", () => {
  test("a longer open event closes later, a shorter one earlier but never in the past", async () => {
    const event = await buildEvent(deps, "open", { durationSeconds: 30 });
    const longer = await update(event.id, { durationSeconds: 90 });
    expect(between(event.closesAt, longer.closesAt)).toBe(60);
    expect(longer).toMatchObject({ nextTransition: "close_event", dueAt: longer.closesAt });
    expect(longer.scheduleVersion).toBe(event.scheduleVersion + 1);
    await deps.pool
      .sql`UPDATE events SET closes_at = game_now() + interval '10 s', due_at = game_now() + interval '10 s',
      opens_at = game_now() - interval '80 s' WHERE id = ${event.id}`;
    const before = await readEvent(deps, event.id);
    const refusal = await refusalOf(update(event.id, { durationSeconds: 60 }));
    expect(refusal.details).toMatchObject({
      errors: { durationSeconds: ["is invalid"] },
      detail: "It would have closed already.",
    });
    expect(await readEvent(deps, event.id)).toEqual(before);
  });

  test("an opening time plans a draft that was added to a running session", async () => {
    const session = await buildRunningSession(deps);
    const { id } = await buildDraft(deps, { sessionId: session.id, durationSeconds: 20, leadSeconds: 5 });
    const opensAt = inSeconds(60);
    const planned = await update(id, { opensAt });
    expect(planned).toMatchObject({ opensAt, nextTransition: "publish_event" });
    expect(between(planned.dueAt, opensAt)).toBe(5);
    expect(between(opensAt, planned.closesAt)).toBe(20);
  });

  test("a new opening during a pause waits for the resume", async () => {
    const session = await buildRunningSession(deps);
    const visible = await buildEvent(deps, "visible", { sessionId: session.id });
    const order = { sessionId: session.id, actor: admin };
    await pauseSession(deps, order);
    expect(await update(visible.id, { opensAt: inSeconds(60) })).toMatchObject({
      nextTransition: "open_event",
      dueAt: null,
    });
    await resumeSession(deps, order);
    const resumed = await readEvent(deps, visible.id);
    expect(resumed.dueAt).not.toBeNull();
    expect(resumed.dueAt).toEqual(resumed.opensAt);
  });

  test("an opening in the past, or before the session has started, is refused, and nothing changes", async () => {
    const session = await buildRunningSession(deps);
    const live = await buildDraft(deps, { sessionId: session.id });
    const alone = await buildDraft(deps);
    for (const [event, opensAt] of [
      [live, inSeconds(-1)],
      [alone, inSeconds(60)],
    ] as const) {
      expect((await refusalOf(update(event.id, { opensAt }))).details.errors).toEqual({
        opensAt: ["is invalid"],
      });
      expect(await readEvent(deps, event.id)).toEqual(event);
    }
  });
});

test("limits that no wager can meet are refused, and nothing changes", async () => {
  const event = await buildDraft(deps, { maxWagerCents: 100 });
  const refusal = await refusalOf(update(event.id, { minWager: 2 }));
  expect(refusal.details.errors).toEqual({ maxWager: ["must be greater than or equal to 2"] });
  expect(await readEvent(deps, event.id)).toEqual(event);
});

test("an older version is refused with 409, and nothing changes", async () => {
  const event = await buildEvent(deps, "visible");
  const refusal = await refusalOf(update(event.id, { title: "Late?", version: event.version - 1 }));
  expect(refusal.status).toBe(409);
  expect(await readEvent(deps, event.id)).toEqual(event);
});

test("PATCH /api/v1/events/:id is for admins, and returns the event", async () => {
  const server = createServer(deps);
  const event = await buildEvent(deps, "visible");
  const path = `/api/v1/events/${event.id}`;
  const body = { event: { title: "Renamed?", true_label: "Up" } };
  expect((await (await signedOutClient(server)).send("PATCH", path, body)).status).toBe(401);
  expect(
    (await (await signedInClient(deps, server, await buildPlayer(deps))).send("PATCH", path, body)).status,
  ).toBe(403);
  expect(await readEvent(deps, event.id)).toEqual(event);
  const asAdmin = await signedInClient(deps, server, admin);
  const answer = await asAdmin.send("PATCH", path, body);
  expect(v.parse(eventAnswer, answer.body).event).toMatchObject({ title: "Renamed?", trueLabel: "Up" });
  expect((await asAdmin.send("PATCH", path, { event: { round: 2 } })).status).toBe(422);
  expect((await asAdmin.send("PATCH", "/api/v1/events/999999999", body)).status).toBe(404);
});
