import { expect, test } from "bun:test";
import { asc, eq, sql } from "drizzle-orm";
import { connect } from "#db/client.ts";
import { readWallets } from "#db/ledger/read-wallet.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { messages } from "#db/schema/messages.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { demoRobots } from "#db/seeds/users.ts";
import { seedBlueprints } from "#jobs/demo/seed-blueprints.ts";
import { findRobotIds, inPast, seedPlayers } from "#jobs/demo/seed-players.ts";
import {
  planMessage,
  planMoves,
  type RobotMessage,
  Robots,
  chooseMove,
  type Rehearsal,
  startDemo,
  stepRehearsal,
} from "#jobs/demo/start-demo.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { activateSession } from "#src/show/sessions/activate-session.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, read, timer } = await testWorld();
await seedBlueprints(deps);

const findRehearsals = () =>
  db.select().from(sessions).where(eq(sessions.rehearsal, true)).orderBy(asc(sessions.id));

/** Removes all events of a session, as if all had been played. */
async function endEvents(sessionId: number): Promise<void> {
  const ofSession = eq(events.sessionId, sessionId);
  await db.update(events).set({ state: "visible" }).where(ofSession);
  await db.update(events).set({ state: "hidden", nextTransition: null, dueAt: null }).where(ofSession);
}

test("a rehearsal begins, runs and is the active session; further steps change nothing", async () => {
  await stepRehearsal(deps);
  await stepRehearsal(deps);

  const [rehearsal, ...others] = await findRehearsals();
  expect(others).toEqual([]);
  expect(rehearsal).toMatchObject({ name: "House games", state: "running", active: true });
  const planned = await read.events(rehearsal?.id ?? 0);
  expect(planned).toHaveLength(12);
  for (const event of planned) {
    expect(event).toMatchObject({
      autoResult: "random",
      durationSeconds: 20,
      leadSeconds: 10,
      resolveWithinSeconds: 0,
    });
  }
  // The first question can be read before it opens; between two events there is room for a result and the next question.
  const startedMs = rehearsal?.startedAt?.getTime() ?? 0;
  const opensIn = planned.map(({ opensAt }) => ((opensAt?.getTime() ?? 0) - startedMs) / 1_000);
  expect(opensIn.slice(0, 3)).toEqual([10, 38, 66]);
});

test("after its last event it stops and the next begins, also with several workers", async () => {
  const [first] = await findRehearsals();
  await endEvents(first?.id ?? 0);

  for (let round = 0; round < 4; round++) {
    await Promise.allSettled([stepRehearsal(deps), stepRehearsal(deps), stepRehearsal(deps)]);
  }

  const states = (await findRehearsals()).map(({ state, active }) => ({ state, active }));
  expect(states).toEqual([
    { state: "stopped", active: false },
    { state: "running", active: true },
  ]);
});

test("another active session stays active; afterwards the rehearsal becomes active again", async () => {
  const hosted = await build.runningSession();
  await activateSession(deps, { sessionId: hosted.id, actor: null });
  await stepRehearsal(deps);
  expect((await findRehearsals()).at(-1)).toMatchObject({ state: "running", active: false });

  await timer.stop(hosted.id);
  await stepRehearsal(deps);
  expect((await findRehearsals()).at(-1)).toMatchObject({ state: "running", active: true });
});

test("when an admin stops the rehearsal, the next one begins", async () => {
  const before = (await findRehearsals()).at(-1);
  await timer.stop(before?.id ?? 0);
  await stepRehearsal(deps);
  const after = (await findRehearsals()).at(-1);
  expect(after?.id).not.toBe(before?.id);
  expect(after).toMatchObject({ state: "running", active: true });
});

const rehearsal = (terms: Partial<Rehearsal>): Rehearsal => ({
  id: 1,
  state: "running",
  active: true,
  unfinished: true,
  resultShown: false,
  ...terms,
});

test("the last result stays visible for a while; a paused rehearsal waits", () => {
  const noOther = { active: false };
  expect(chooseMove([rehearsal({ unfinished: false })], noOther)).toEqual({ kind: "wait" });
  expect(chooseMove([rehearsal({ unfinished: false, resultShown: true })], noOther)).toEqual({
    kind: "stop",
    sessionId: 1,
  });
  expect(chooseMove([rehearsal({ state: "paused", unfinished: false, resultShown: true })], noOther)).toEqual(
    { kind: "wait" },
  );
});

test("after a crash, a pending rehearsal starts, and the older of two stops", () => {
  expect(chooseMove([rehearsal({ id: 7, state: "pending" })], { active: true })).toEqual({
    kind: "start",
    sessionId: 7,
  });
  expect(chooseMove([rehearsal({ id: 7 }), rehearsal({ id: 8, active: false })], { active: false })).toEqual({
    kind: "stop",
    sessionId: 7,
  });
});

const running: { stop: () => Promise<void> }[] = [];
const pool = connect(deps.env.ownerDatabaseUrl, { poolSize: 1 });
await seedPlayers(inPast(deps, pool), new Date());
await pool.close();

afterTest(async () => {
  for (const part of running.splice(0)) await part.stop();
});

const DURATION_S = 20;

/** An open event in a rehearsal for which robots plan three early calls, and more moves on a busy machine. */
async function buildRehearsedEvent(): Promise<EventRow> {
  const session = await build.runningSession({ rehearsal: true });
  for (;;) {
    const { id } = await build.draft({ sessionId: session.id, durationSeconds: DURATION_S });
    if ((movesOn(id)[2] ?? Infinity) > 4_000) continue;
    await timer.publish(id);
    return timer.open(id);
  }
}

/** When robots plan to move, in milliseconds after the event opened, in order. */
function movesOn(eventId: number): number[] {
  const event = { key: `${eventId}-1`, durationMs: DURATION_S * 1_000 };
  return demoRobots
    .flatMap((robot) => planMoves(robot, event))
    .map(({ afterMs }) => afterMs)
    .toSorted((one, other) => one - other);
}

const findCalls = (eventId: number) =>
  db
    .select({ userId: calls.userId, key: calls.idempotencyKey, robot: users.robot })
    .from(calls)
    .innerJoin(users, eq(users.id, calls.userId))
    .where(eq(calls.eventId, eventId));

test("robots place each planned call once, also with several workers, and none in another session", async () => {
  const { id: sessionId } = await build.runningSession();
  const other = await build.event("open", { sessionId, durationSeconds: DURATION_S });
  const event = await buildRehearsedEvent();
  const workers = [new Robots(deps), new Robots(deps)];
  running.push(...workers);
  for (const worker of workers) await worker.planNewEvents();

  const placed = await waitFor("three calls", async () => {
    const rows = await findCalls(event.id);
    return rows.length >= 3 && rows;
  });

  expect(placed.every((call) => call.robot)).toBe(true);
  expect(await findCalls(other.id)).toEqual([]);
  // Those who play are counted as players who are here.
  await untilPasses(async () => {
    const present = await deps.redis.zrange(`presence:session:${event.sessionId}:players`, "0", "-1");
    expect(present).toContain(`${placed[0]?.userId} robots`);
  });
  expect(new Set(placed.map((call) => `${call.userId} ${call.key}`)).size).toBe(placed.length);
  for (const { key } of placed) expect(key).toMatch(new RegExp(`^robot-${event.id}-1-[12]$`));
});

test("a robot sends a planned chat message once, also with several workers", async () => {
  const session = await build.runningSession({ rehearsal: true });
  const line = await buildTalkedOfEvent(session.id);
  const workers = [new Robots(deps), new Robots(deps)];
  running.push(...workers);
  for (const worker of workers) await worker.planNewEvents();
  const said = () => db.select().from(messages).where(eq(messages.sessionId, session.id));
  await waitFor("the line", async () => (await said()).length > 0);
  for (const worker of workers) await worker.stop();
  const [robotId] = [...(await findRobotIds(db))].flatMap(([username, id]) =>
    username === line.username ? [id] : [],
  );
  expect(await said()).toMatchObject([{ userId: robotId, body: line.body }]);
});

/** Opens an event of 5 seconds for which a robot plans an early chat message. */
async function buildTalkedOfEvent(sessionId: number): Promise<RobotMessage> {
  for (;;) {
    const { id } = await build.draft({ sessionId, durationSeconds: 5 });
    const line = planMessage({ key: `${id}-1`, durationMs: 5_000 });
    if (line === null || line.afterMs > 3_000 || line.afterMs < 1_000) continue;
    await timer.publish(id);
    await timer.open(id);
    return line;
  }
}

test("a robot without money gets an allowance through the ledger", async () => {
  const ids = [...(await findRobotIds(db)).values()];
  const sink = await build.event("open");
  for (const { userId, availableCents } of await readWallets(db, ids)) {
    await build.call({ userId, eventId: sink.id, wagerCents: availableCents });
  }
  await buildRehearsedEvent();
  const robots = new Robots(deps);
  running.push(robots);
  await robots.planNewEvents();

  const supported = await waitFor("an allowance", async () => {
    const rich = (await readWallets(db, ids)).filter((wallet) => wallet.postedCents > 10_000);
    return rich.length > 0 && rich;
  });
  for (const wallet of supported) expect(wallet.postedCents).toBe(15_000);
  expect(await read.differences()).toEqual([]);
});

test("after the demo has stopped, robots do nothing", async () => {
  const event = await buildRehearsedEvent();
  const demo = startDemo(deps);
  await waitFor("a first call", async () => (await findCalls(event.id)).length > 0);

  await demo.stop();
  const atStop = (await findCalls(event.id)).length;
  const elapsedMs = await elapsedOf(event);
  const next = movesOn(event.id).find((afterMs) => afterMs > elapsedMs) ?? Infinity;
  await waitFor("the next planned move", async () => (await elapsedOf(event)) > next + MOVING_TAKES_MS);

  expect(await findCalls(event.id)).toHaveLength(atStop);
});

const MOVING_TAKES_MS = 250;

async function elapsedOf(event: EventRow): Promise<number> {
  const [row] = await db
    .select({ ms: sql<number>`(extract(epoch FROM game_now() - ${events.openedAt}) * 1000)::float8` })
    .from(events)
    .where(eq(events.id, event.id));
  return row?.ms ?? 0;
}
