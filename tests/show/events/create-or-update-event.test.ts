import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { type EventState, eventStates } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { eventAnswer, eventsAnswer, type UpdateEventBody } from "#src/show/events/schemas.ts";
import { type TestClient } from "#tests/support/client.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";

const { deps, db, by, build, read, refused, client, unchanged } = await testWorld();
const admin = await build.admin();
const asPlayer = await client(await build.player());
const asAdmin = await client(admin);

const post = (event: Record<string, unknown>) => asAdmin.send("POST", "/api/v1/events", { event });
const countEvents = () => db.$count(events);

test("POST /api/v1/events creates a draft with two spots at the end of its session, with defaults for missing fields", async () => {
  const session = await build.session({ settings: { leadSeconds: 7 } });
  await build.draft({ sessionId: session.id, position: 4 });
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
  expect(await read.spots(event.id)).toMatchObject({ true: { state: "closed" }, false: { state: "closed" } });
  expect(await read.event(event.id)).toMatchObject({ leadSeconds: 7, createdById: admin.id });
  const lines = await read.audit({ subjectId: event.id });
  expect(lines).toMatchObject([{ action: "create_event", actorId: admin.id, sessionId: session.id }]);
});

test("POST /api/v1/events with all fields sets every field, and inserts the event at a position", async () => {
  const session = await build.session();
  const old = await build.draft({ sessionId: session.id, position: 1 });
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
  const rows = await read.events(session.id);
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

test("POST /api/v1/events with ask opens the event at once for its whole duration in a running session", async () => {
  const session = await build.runningSession();
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
  expect(await read.event(event.id)).toMatchObject({ nextTransition: "close_event" });
});

test.each([
  [{ false_label: " " }, { falseLabel: ["can't be blank"] }],
  [{ true_label: "Yes", false_label: "yes " }, { falseLabel: ["must differ from the True Label"] }],
  [{ true_label: "False" }, { falseLabel: ["must differ from the True Label"] }],
  [{ min_wager: 2, max_wager: 1 }, { maxWager: ["must be greater than or equal to 2"] }],
  [{ max_wager: 1.005 }, { maxWager: ["is invalid"] }],
  [{ session_id: 999_999_999 }, { session: ["must exist"] }],
])("POST /api/v1/events refuses, and creates nothing: %j", async (given, errors) => {
  const session = await build.runningSession();
  expect(await unchanged(() => post({ session_id: session.id, title: "Will it?", ...given }))).toMatchObject({
    status: 422,
    body: { errors },
  });
});

test("POST /api/v1/events refuses, and creates nothing, for `ask` in a session that is not running, and any event in a stopped one", async () => {
  const [pending, running] = await Promise.all([build.session(), build.runningSession()]);
  await by(admin).pause(running.id);
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
  await by(admin).stop(running.id);
  expect(await post({ session_id: running.id, title: "Now?" })).toMatchObject({
    status: 422,
    body: { errors: { session: ["is invalid"] }, detail: "The session is over." },
  });
  expect(await countEvents()).toBe(before);
});

test("GET /api/v1/events lists published events for players, all but destroyed ones for admins, newest first", async () => {
  const { id: sessionId } = await build.runningSession();
  const open = await build.event("open", { sessionId });
  const hidden = await build.event("hidden", { sessionId });
  await build.event("soft_destroyed", { sessionId });
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

const update = (eventId: number, changes: UpdateEventBody) => by(admin).update(eventId, changes);
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
      const event = await build.event(state);
      const updated = await update(event.id, changes);
      expect(updated.version).toBe(event.version + 1);
      expect(updated.state).toBe(state);
      expect(await read.audit({ subjectId: event.id, action: "update_event" })).toHaveLength(1);
      expect(await update(event.id, changes)).toEqual(updated);
    },
  );

  test.each(states.filter((state) => !allowed.includes(state)))(
    "is refused when %s, and nothing changes",
    async (state) => {
      const event = await build.event(state);
      const refusal = await refused(() => update(event.id, changes));
      expect(refusal.details.errors).toEqual({ [field]: ["is invalid"] });
    },
  );
});

test("a longer open event closes later, a shorter one earlier but never in the past", async () => {
  const event = await build.event("open", { durationSeconds: 30 });
  const longer = await update(event.id, { durationSeconds: 90 });
  expect(between(event.closesAt, longer.closesAt)).toBe(60);
  expect(longer).toMatchObject({ nextTransition: "close_event", dueAt: longer.closesAt });
  expect(longer.scheduleVersion).toBe(event.scheduleVersion + 1);
  await deps.pool
    .sql`UPDATE events SET closes_at = game_now() + interval '10 s', due_at = game_now() + interval '10 s',
      opens_at = game_now() - interval '80 s' WHERE id = ${event.id}`;
  expect((await refused(() => update(event.id, { durationSeconds: 60 }))).details).toMatchObject({
    errors: { durationSeconds: ["is invalid"] },
    detail: "It would have closed already.",
  });
});

test("an opening time plans a draft that was added to a running session", async () => {
  const session = await build.runningSession();
  const { id } = await build.draft({ sessionId: session.id, durationSeconds: 20, leadSeconds: 5 });
  const opensAt = inSeconds(60);
  const planned = await update(id, { opensAt });
  expect(planned).toMatchObject({ opensAt, nextTransition: "publish_event" });
  expect(between(planned.dueAt, opensAt)).toBe(5);
  expect(between(opensAt, planned.closesAt)).toBe(20);
});

test("an opening in the past, or before the session has started, is refused, and nothing changes", async () => {
  const session = await build.runningSession();
  const live = await build.draft({ sessionId: session.id });
  const alone = await build.draft();
  for (const [event, opensAt] of [
    [live, inSeconds(-1)],
    [alone, inSeconds(60)],
  ] as const) {
    expect((await refusalOf(update(event.id, { opensAt }))).details.errors).toEqual({
      opensAt: ["is invalid"],
    });
    expect(await read.event(event.id)).toEqual(event);
  }
});

test("a label that the other one has is refused; labels that were the same before stay", async () => {
  const event = await build.draft({ trueLabel: "Wet", falseLabel: "Dry" });
  const refusal = await refused(() => update(event.id, { falseLabel: "WET" }));
  expect(refusal.details.errors).toEqual({ falseLabel: ["must differ from the True Label"] });
  expect(await read.event(event.id)).toEqual(event);
  const same = await build.draft({ trueLabel: "Yes", falseLabel: "Yes" });
  const body = { title: "Still?", trueLabel: "Yes", falseLabel: "Yes" };
  expect(await update(same.id, body)).toMatchObject({ title: "Still?", falseLabel: "Yes" });
});
