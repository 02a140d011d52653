import { expect, test } from "bun:test";
import { and, desc, eq } from "drizzle-orm";
import * as v from "valibot";
import type { StartMode } from "#db/lists/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { registrations } from "#db/schema/sessions.ts";
import { createEvent } from "#src/show/events/create-event.ts";
import { eventAnswer, eventsAnswer } from "#src/show/events/schemas.ts";
import { reorderEvents } from "#src/show/sessions/reorder-events.ts";
import { testWorld } from "#tests/support/world.ts";
import { stageShows } from "./stage-shows.ts";

const world = await testWorld();
const { deps, db, build, read, client, signedIn } = world;
const [player, asPlayer] = await signedIn.player();
const asAdmin = await client(await build.admin());

test("GET /api/v1/events/:id returns an event with the viewer's own calls", async () => {
  const event = await build.event("open", { trueLabel: "Yes", minWagerCents: 50, maxWagerCents: 1_000 });
  const callId = await build.call({ userId: player.id, eventId: event.id, wagerCents: 250 });
  await build.call({ userId: (await build.player()).id, eventId: event.id, side: "false" });
  const { status, body } = await asPlayer.get(`/api/v1/events/${event.id}`);
  expect(status).toBe(200);
  const { event: view } = v.parse(eventAnswer, body);
  expect(view).toMatchObject({
    id: event.id,
    state: "open",
    result: null,
    voided: false,
    trueLabel: "Yes",
    minWager: 0.5,
    minWagerCents: 50,
    maxWager: 10,
    pool: { true: 2.5, false: 1, total: 3.5 },
    callsCount: 2,
    spots: [
      { side: "true", label: "Yes", poolCents: 250, won: null },
      { side: "false", label: "False", poolCents: 100 },
    ],
  });
  expect(view.myCalls.map((call) => call.id)).toEqual([callId]);
});

const planned = {
  autoResult: "true",
  startMode: "offset",
  offsetSeconds: 40,
  resolveWithinSeconds: 9,
} as const;

test("the plan of an event is shown to admins, in lists too", async () => {
  const session = await build.runningSession();
  const event = await build.event("open", { ...planned, sessionId: session.id });
  const plan = {
    ...planned,
    nextTransition: "close_event",
    dueAt: event.closesAt?.toISOString(),
    remainingMs: null,
    paying: null,
    decided: null,
    explanation: "",
    hostNote: "",
  };
  const shown = await asAdmin.get(`/api/v1/events/${event.id}`);
  expect(v.parse(eventAnswer, shown.body).event.plan).toStrictEqual<unknown>(plan);
  const listed = await asAdmin.get(`/api/v1/sessions/${session.slug}/events`);
  expect(v.parse(eventsAnswer, listed.body).events.at(-1)?.plan).toStrictEqual<unknown>(plan);
});

test("the plan of an event is hidden from players, because it can reveal the result", async () => {
  const event = await build.event("open", planned);
  const shown = await asPlayer.get(`/api/v1/events/${event.id}`);
  expect(v.parse(eventAnswer, shown.body).event.plan).toBeNull();
  const listed = await asPlayer.get("/api/v1/events");
  expect(v.parse(eventsAnswer, listed.body).events.map(({ plan }) => plan)).not.toContainEqual(
    expect.anything(),
  );
});

test.each([
  ["draft", 404, 200],
  ["hidden", 404, 200],
  ["soft_destroyed", 404, 404],
] as const)(
  "GET /api/v1/events/:id of a %s event answers %d to players and %d to admins",
  async (state, forPlayer, forAdmin) => {
    const path = `/api/v1/events/${(await build.event(state)).id}`;
    const statuses = [(await asPlayer.get(path)).status, (await asAdmin.get(path)).status];
    expect(statuses).toEqual([forPlayer, forAdmin]);
  },
);

test.each([
  [{ event: { state_event: "open_event" } }, 422, { stateEvent: ["cannot transition when Resolved"] }],
  ...["explode", "destroy", "", "toString"].map(
    (name) => [{ event: { state_event: name } }, 422, { stateEvent: ["is invalid"] }] as const,
  ),
  [{ event: {} }, 422, { stateEvent: ["is required"] }],
  [{ event: { state_event: "resolve" } }, 422, { result: ["is required"] }],
  [{ event: { state_event: "resolve", result: false } }, 422, { reason: ["is required"] }],
  [{ event: { state: "gone" } }, 422, { state: ["is invalid"] }],
  [{ event: { state: "soft_destroyed" } }, 422, { state: ["is invalid"] }],
  [{ event: { state_event: "resolve", result: "maybe" } }, 422, { result: ["is invalid"] }],
  [{ event: { state_event: "resolve", result: false, reason: "a\0b" } }, 422, { reason: ["is invalid"] }],
  [{ event: { state_event: "resolve", result: false, reason: "  " } }, 422, { reason: ["is required"] }],
])("PATCH /api/v1/events/:id/state refuses %j, and nothing changes", async (body, status, errors) => {
  const event = await build.event("resolved");
  const answer = await asAdmin.send("PATCH", `/api/v1/events/${event.id}/state`, body);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ errors });
  expect(await read.event(event.id)).toEqual(event);
});

const { admin, buildShow, host, clockAt, resolve, runUntil } = await stageShows(world);

/** A running show, joined by a player, whose first event has closed. */
async function buildClosed(...modes: StartMode[]) {
  await clockAt(0);
  const show = await buildShow([["after_previous", 0], ...modes]);
  await db.insert(registrations).values({ sessionId: show.sessionId, userId: player.id, displayName: "Ana" });
  await runUntil(21);
  return show;
}

/** What the player reads in the first event about the next one. */
async function nextStart(sessionId: number) {
  return (await asPlayer.read(`/api/v1/sessions/${sessionId}/events`, eventsAnswer)).events[0]?.nextStart;
}

/** How often a change of the event was announced. */
async function announced(eventId: number) {
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.kind, "event_changed")))
    .orderBy(desc(outbox.id));
  const updates = v.array(v.object({ payload: v.looseObject({ eventId: v.number(), change: v.string() }) }));
  return v
    .parse(updates, rows)
    .filter(({ payload }) => payload.eventId === eventId && payload.change === "update").length;
}

test("players read whether the next event waits for the result or for the host", async () => {
  expect(await nextStart((await buildClosed("after_result")).sessionId)).toBe("after_result");
  expect(await nextStart((await buildClosed("by_hand")).sessionId)).toBe("by_hand");
  expect(await nextStart((await buildClosed("offset", "by_hand")).sessionId)).toBeNull();
  expect(await nextStart((await buildClosed()).sessionId)).toBeNull();
});

test("it is that of the event directly after it, and gone when that has opened", async () => {
  const { sessionId, a } = await buildClosed("after_result");
  await resolve(a);
  await runUntil(30);
  expect(await nextStart(sessionId)).toBeNull();
});

test("a change of what comes next is read and announced at once, although players do not see drafts", async () => {
  const { sessionId, order, a, b } = await buildClosed("by_hand");
  expect(await nextStart(sessionId)).toBe("by_hand");
  const before = await announced(a);
  await host.update(b, { startMode: "after_result" });
  expect(await nextStart(sessionId)).toBe("after_result");
  const added = { sessionId, actor: admin, title: "And this?", ask: false, startMode: "by_hand" } as const;
  const { id: c } = await createEvent(deps, added);
  await reorderEvents(deps, { ...order, eventIds: [c, b] });
  expect(await nextStart(sessionId)).toBe("by_hand");
  await host.destroy(c);
  expect(await nextStart(sessionId)).toBe("after_result");
  expect(await announced(a)).toBe(before + 4);
});
