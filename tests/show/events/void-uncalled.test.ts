import { beforeEach, expect, test } from "bun:test";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { updateSession } from "#src/show/sessions/update-session.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { alarmOf } from "#tests/jobs/due-events.ts";
import { testWorld } from "#tests/support/world.ts";
import { stageShows } from "./stage-shows.ts";

const world = await testWorld();
const { deps, build, read } = world;
const { admin, buildShow, host, clockAt, nextOf, opensIn, resolve, runUntil } = await stageShows(world);
const voidUncalled = { settlementDelaySeconds: 0, voidUncalled: true };
/** One event, open from 0 to 20 s; its result is due at 80 s. */
const oneEvent = [["after_previous", 0]] as const;

beforeEach(() => clockAt(0));

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
