import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { StartMode } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { createEvent } from "#src/show/events/create-event.ts";
import type { UpdateEventBody } from "#src/show/events/schemas.ts";
import { reorderEvents } from "#src/show/sessions/reorder-events.ts";
import { only } from "#tests/support/build.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { testWorld } from "#tests/support/world.ts";
import { inSeconds, secondsOf, stageShows } from "./stage-shows.ts";

const world = await testWorld();
const { deps, db } = world;
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
    const refusal = await refusalOf(host.update(b, changes));
    expect(refusal.details).toMatchObject({
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
