import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { StartMode } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { createEvent } from "#src/show/events/create-event.ts";
import type { UpdateEventBody } from "#src/show/events/schemas.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { reorderEvents } from "#src/show/sessions/reorder-events.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { updateSession } from "#src/show/sessions/update-session.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { alarmOf } from "#tests/jobs/due-events.ts";
import { only } from "#tests/support/build.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { inSeconds, secondsOf, stageShows } from "./stage-shows.ts";

const world = await testWorld();
const { build, deps, db, read } = world;
const { admin, buildShow, host, clockAt, nextOf, opensIn, resolve, runOf, runUntil } =
  await stageShows(world);

beforeEach(() => clockAt(0));

test("by hand: an event opens only when the host advances to it: it is shown, and opens after its lead", async () => {
  const { sessionId, b } = await buildShow([["after_previous", 0], "by_hand", "after_previous"]);
  await runUntil(300);
  expect(await opensIn(sessionId)).toEqual([0, null, null]);
  expect(await nextOf(sessionId)).toEqual([
    [null, null],
    [null, null],
    ["publish_event", null],
  ]);
  expect(await host.advance(b)).toMatchObject({ state: "visible", nextTransition: "open_event" });
  expect(await opensIn(sessionId)).toEqual([0, 305, 333]);
  await runUntil(306);
  expect((await runOf(sessionId))[1]).toMatchObject({ state: "open" });
});

test("by hand: a planned moment that the host gives it opens it, and plans what follows", async () => {
  const { sessionId, b } = await buildShow([["after_previous", 0], "by_hand", "after_previous"]);
  await host.update(b, { opensAt: inSeconds(60) });
  expect(await opensIn(sessionId)).toEqual([0, 60, 88]);
});

test("an event that waits gets its time by a new start mode, and loses it by another", async () => {
  const { sessionId, a, b } = await buildShow([["after_previous", 0], "by_hand", "after_previous"]);
  await runUntil(20);
  await resolve(a);
  await clockAt(50);
  const change = (startMode: StartMode) => host.update(b, { startMode });
  expect(secondsOf((await change("after_result")).opensAt)).toBe(58);
  expect(await opensIn(sessionId)).toEqual([0, 58, 86]);
  expect(await change("by_hand")).toMatchObject({ opensAt: null, nextTransition: null });
  // What follows it waits for it again.
  expect(await opensIn(sessionId)).toEqual([0, null, null]);
});

test("an event that waits is planned again in another order", async () => {
  const { sessionId, order, a, b, c } = await buildShow([
    ["after_previous", 0],
    "after_previous",
    "after_result",
  ]);
  await runUntil(20);
  await reorderEvents(deps, { ...order, eventIds: [c, b] });
  // The one after the result is the next now, and the other one follows it.
  expect(await opensIn(sessionId)).toEqual([0, null, null]);
  await resolve(a);
  expect(await opensIn(sessionId)).toEqual([0, 28, 56]);
});

test("a draft of a running show takes what follows it along when its start mode or its wait changes, and nothing else", async () => {
  const { sessionId, b } = await buildShow([
    ["after_previous", 0],
    "after_previous",
    "after_previous",
    ["offset", 200],
    "after_previous",
  ]);
  const change = (changes: UpdateEventBody) => host.update(b, changes);
  expect(await opensIn(sessionId)).toEqual([0, 28, 56, 200, 228]);
  await change({ offsetSeconds: 30 });
  expect(await opensIn(sessionId)).toEqual([0, 50, 78, 200, 228]);
  await change({ startMode: "after_result" });
  expect(await opensIn(sessionId)).toEqual([0, null, null, 200, 228]);
  expect((await nextOf(sessionId))[2]).toEqual(["publish_event", null]);
  await change({ startMode: "after_previous", offsetSeconds: 0, durationSeconds: 40 });
  expect(await opensIn(sessionId)).toEqual([0, 20, 68, 200, 228]);
  expect((await nextOf(sessionId))[2]).toEqual(["publish_event", 63]);
});

test("a draft of a running show changes neither its start mode nor its wait once players see it", async () => {
  const { sessionId, b } = await buildShow([["after_previous", 0], "after_previous"]);
  await host.publish(b);
  const before = await runOf(sessionId);
  for (const changes of [{ startMode: "by_hand" }, { offsetSeconds: 60 }] as const) {
    expect((await refusalOf(host.update(b, changes))).details).toMatchObject({
      errors: Object.fromEntries(Object.keys(changes).map((field) => [field, ["is invalid"]])),
      detail: "It has been published: only texts and times to come change.",
    });
  }
  expect(await runOf(sessionId)).toEqual(before);
});

const add = async (sessionId: number, startMode?: StartMode) => {
  const { id } = await createEvent(deps, {
    actor: admin,
    sessionId,
    title: "And this?",
    ask: false,
    offsetSeconds: 8,
    ...(startMode === undefined ? {} : { startMode }),
  });
  return only(await db.select().from(events).where(eq(events.id, id)));
};

test("an event that is added to a running session opens by itself if it has a start mode", async () => {
  const { sessionId } = await buildShow([["after_previous", 0]]);
  await runUntil(10);
  expect(secondsOf((await add(sessionId, "after_previous")).opensAt)).toBe(28);
  expect(await add(sessionId, "after_result")).toMatchObject({
    opensAt: null,
    nextTransition: "publish_event",
  });
  expect(await add(sessionId, "by_hand")).toMatchObject({ opensAt: null, nextTransition: null });
});

test("an event that is added to a running session waits from now if the one before it is over", async () => {
  const { sessionId, a } = await buildShow([["after_previous", 0]]);
  await runUntil(100);
  expect(secondsOf((await add(sessionId, "after_previous")).opensAt)).toBe(108);
  await resolve(a);
});

test("an event that is added to a running session becomes part of the plan when it is given a start mode, also its default", async () => {
  const { sessionId } = await buildShow([["after_previous", 0]]);
  await runUntil(10);
  const { id, startMode } = await add(sessionId);
  const planned = await host.update(id, { startMode });
  expect(secondsOf(planned.opensAt)).toBe(28);
  expect(await host.update(id, { startMode })).toEqual(planned);
});

test("after the result: an event has no time until the one before it is resolved; then it opens after its wait", async () => {
  const { sessionId, a } = await buildShow([["after_previous", 0], "after_result", "after_previous"]);
  expect(await opensIn(sessionId)).toEqual([0, null, null]);
  expect((await nextOf(sessionId)).slice(1)).toEqual([
    ["publish_event", null],
    ["publish_event", null],
  ]);
  await runUntil(200);
  expect(await opensIn(sessionId)).toEqual([0, null, null]);
  await resolve(a);
  expect(await opensIn(sessionId)).toEqual([0, 208, 236]);
  expect((await nextOf(sessionId)).slice(1)).toEqual([
    ["publish_event", 203],
    ["publish_event", 231],
  ]);
  await runUntil(215);
  expect((await runOf(sessionId)).map(({ state }) => state)).toEqual(["resolved", "open", "draft"]);
});

test("what the event before goes through: a pending result starts nothing: it may be replaced or withdrawn until it is paid", async () => {
  const show = [["after_previous", 0], "after_result"] as const;
  const { sessionId, a } = await buildShow(show, { settlementDelaySeconds: 5 });
  await runUntil(20);
  await resolve(a);
  expect(await opensIn(sessionId)).toEqual([0, null]);
  await runUntil(24);
  await host.withdraw(a);
  await runUntil(60);
  expect(await opensIn(sessionId)).toEqual([0, null]);
  await resolve(a);
  await runUntil(64);
  expect(await opensIn(sessionId)).toEqual([0, null]);
  await runUntil(65);
  expect(await opensIn(sessionId)).toEqual([0, 73]);
});

test("an event that leaves the show: a hidden or destroyed event is not waited for", async () => {
  const { sessionId, a, b, c } = await buildShow([
    ["after_previous", 0],
    "by_hand",
    "by_hand",
    "after_result",
  ]);
  await runUntil(20);
  await resolve(a);
  await host.publish(b);
  await host.hide(b);
  expect(await opensIn(sessionId)).toEqual([0, null, null, null]);
  await host.destroy(c);
  expect(await opensIn(sessionId)).toEqual([0, null, null, 28]);
});

test("a result and a publishing at the same time lose nothing", async () => {
  const { sessionId, a, b } = await buildShow([["after_previous", 0], "after_result"]);
  await runUntil(20);
  await Promise.all([resolve(a), host.publish(b)]);
  expect((await runOf(sessionId))[1]).toMatchObject({ state: "visible", nextTransition: "open_event" });
  expect((await nextOf(sessionId))[1]).toEqual(["open_event", 28]);
});

const voidUncalled = { settlementDelaySeconds: 0, voidUncalled: true };
/** One event, open from 0 to 20 s; its result is due at 80 s. */
const oneEvent = [["after_previous", 0]] as const;

const set = (sessionId: number, value: boolean) =>
  updateSession(deps, { sessionId, actor: admin, changes: { settings: { voidUncalled: value } } });
const resolutionsOf = (subjectId: number) =>
  read.audit({ subjectType: "event", subjectId, action: "resolve" });

test("an event that nobody has called is voided when the time for its result ends, and the next one follows", async () => {
  const { sessionId, a } = await buildShow([...oneEvent, "after_result"], voidUncalled);
  await runUntil(20);
  expect((await nextOf(sessionId))[0]).toEqual(["resolve", 80]);
  await runUntil(79);
  expect(await read.event(a)).toMatchObject({ state: "closed", result: null });
  await runUntil(80);
  expect(await read.event(a)).toMatchObject({ result: "void", resultReason: "Nobody called it." });
  expect(await opensIn(sessionId)).toEqual([0, 88]);
});

test("an event with a call waits for the host, as does every event without the setting", async () => {
  const called = await buildShow(oneEvent, voidUncalled);
  await runUntil(5);
  const player = await build.player();
  await build.call({ userId: player.id, eventId: called.a });
  await runUntil(500);
  expect(await read.event(called.a)).toMatchObject({ state: "closed", nextTransition: null });
  await clockAt(0);
  const plain = await buildShow(oneEvent);
  await runUntil(500);
  expect(await read.event(plain.a)).toMatchObject({ state: "closed", nextTransition: null });
});

test("the host may decide it before; then nothing happens at its time", async () => {
  const { a } = await buildShow(oneEvent, voidUncalled);
  await runUntil(30);
  const alarm = alarmOf(await read.event(a));
  await resolve(a);
  await runUntil(81);
  expect(await performTransition(deps, alarm)).toBe(0);
  expect(await read.event(a)).toMatchObject({ result: "true", decidedById: admin.id });
  expect(await resolutionsOf(a)).toHaveLength(1);
});

test("a pause stops its time, and another time for the result moves it", async () => {
  const { sessionId, a, order } = await buildShow(oneEvent, voidUncalled);
  await runUntil(40);
  await pauseSession(deps, order);
  await runUntil(500);
  expect(await read.event(a)).toMatchObject({ state: "closed", dueAt: null, remainingMs: 40_000 });
  await resumeSession(deps, order);
  expect(await nextOf(sessionId)).toEqual([["resolve", 540]]);
  await host.update(a, { resolveWithinSeconds: 70 });
  expect(await nextOf(sessionId)).toEqual([["resolve", 550]]);
});

test("the setting also applies to events that have closed already, and can be taken back", async () => {
  const { sessionId, a } = await buildShow(oneEvent);
  await runUntil(40);
  await set(sessionId, true);
  expect(await nextOf(sessionId)).toEqual([["resolve", 80]]);
  await set(sessionId, false);
  expect(await nextOf(sessionId)).toEqual([[null, null]]);
  await runUntil(200);
  await set(sessionId, true);
  expect(await nextOf(sessionId)).toEqual([["resolve", 200]]);
  await runUntil(201);
  expect(await read.event(a)).toMatchObject({ result: "void" });
});

test("after the session's end it is voided at its time, and events with calls a day later", async () => {
  const { sessionId, a, b, order } = await buildShow([...oneEvent, ["offset", 0]], voidUncalled);
  await runUntil(5);
  const player = await build.player();
  await build.call({ userId: player.id, eventId: b });
  await runUntil(10);
  await stopSession(deps, order);
  expect(await nextOf(sessionId)).toEqual([
    ["resolve", 70],
    ["resolve", 10 + 86_400],
  ]);
  await runUntil(100);
  expect(await read.event(a)).toMatchObject({ result: "void" });
});
