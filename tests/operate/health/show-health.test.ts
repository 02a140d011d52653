import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Side } from "#db/lists/spots.ts";
import { Loads } from "#src/live/cable/loads.ts";
import { showHealth } from "#src/operate/health/show-health.ts";
import { showPace } from "#src/operate/health/show-pace.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { redisAway } from "#tests/support/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";

const { deps, db, build, runClock, stopClockAt, timer } = await testWorld();
const { slug } = await build.runningSession();
const idle = { sockets: 2, slow: 1, slowestMs: 40, receives: true };
const hub = { loads: new Loads(deps, () => idle) };
const show = (over: Partial<typeof deps> = {}, sockets = hub) =>
  showHealth({ ...deps, ...over }, sockets, { slugOrId: slug, eventId: null });

/** As the relay does. */
const broadcastAll = () => db.execute(sql`UPDATE outbox SET sent_at = game_now() WHERE sent_at IS NULL`);

afterTest(async () => {
  await deps.redis.del("cable:loads");
  await broadcastAll();
});

test("the health of a show names what answers, and how fast", async () => {
  await broadcastAll();
  // On a busy machine an answer may be slow.
  const parts = await waitFor("fast answers", async () => {
    const { parts: asked } = await show();
    return asked.database.state === "ok" && asked.redis.state === "ok" && asked;
  });
  expect(parts.database).toEqual({ state: "ok", answerMs: expect.any(Number) });
  expect(parts.redis).toEqual({ state: "ok", answerMs: expect.any(Number) });
  expect(parts.feed).toEqual({ state: "ok", behindMs: 0 });
});

test("queues without a worker are slow: only the sweep performs what is due", async () => {
  expect((await show()).parts.queues).toEqual({ state: "slow", waiting: 0, failed: 0, working: false });
});

test("the feed is slow while facts wait to be broadcast", async () => {
  await build.runningSession();
  await runClock({ aheadMs: 8_000 });
  const { feed } = (await show()).parts;
  await runClock();
  expect(feed.state).toBe("slow");
  expect(feed.behindMs).toBeGreaterThanOrEqual(8_000);
});

test("without Redis the health is answered, and says so", async () => {
  const redis = await redisAway();
  const away = new Loads({ ...deps, redis }, () => idle);
  const { parts, sockets } = await show({ redis }, { loads: away });
  expect(parts.redis).toEqual({ state: "away", answerMs: null });
  expect(parts.feed.state).toBe("away");
  expect(parts.database.state).not.toBe("away");
  expect(sockets).toEqual({ count: 2, slow: 1, slowestMs: 40, complete: false });
});

test("a Redis that answers and takes no writes is of no use, and the health says so", async () => {
  const { parts } = await show({
    redisTrouble: () => ({ state: "refuses", said: "Redis takes no writes." }),
  });
  expect([parts.redis.state, parts.feed.state]).toEqual(["away", "away"]);
});

test("a process that receives no messages has no feed", async () => {
  const deaf = { loads: new Loads(deps, () => ({ ...idle, receives: false })) };
  expect((await show({}, deaf)).parts.feed.state).toBe("away");
});

test("the sockets of all processes are counted, and the slowest is that of any", async () => {
  const other = new Loads(deps, () => ({ sockets: 5, slow: 0, slowestMs: 300, receives: true }));
  await other.report();
  expect((await show()).sockets).toEqual({ count: 7, slow: 1, slowestMs: 300, complete: true });
  await other.withdraw();
  expect((await show()).sockets).toEqual({ count: 2, slow: 1, slowestMs: 40, complete: true });
});

test("a process that has died is not counted any more", async () => {
  await deps.redis.hset("cable:loads", "dead", JSON.stringify({ ...idle, atMs: Date.now() - 60_000 }));
  expect((await show()).sockets.count).toBe(2);
  await hub.loads.report();
  expect(Object.keys(await deps.redis.hgetall("cable:loads"))).not.toContain("dead");
});

const player = await build.player({ balanceCents: 100_000_000 });
const OPEN_S = 30;
let clockMs = Date.parse("2026-11-27T20:00:00Z");

/** Moves the stopped clock of the game forward. */
async function pass(seconds: number): Promise<void> {
  clockMs += seconds * 1_000;
  await stopClockAt(new Date(clockMs));
}

/** A call so many seconds before the close. */
type Told = { before: number; side?: Side; cents?: number };

/** An event that is open for 30 s, with these calls; the clock stops with the last one. */
async function playEvent(sessionId: number, calls: readonly Told[]): Promise<number> {
  await pass(60);
  const { id } = await build.event("open", { sessionId, durationSeconds: OPEN_S });
  const openedMs = clockMs;
  for (const { before, side = "true", cents = 100 } of calls) {
    await pass((openedMs - clockMs) / 1_000 + OPEN_S - before);
    await build.call({ userId: player.id, eventId: id, side, wagerCents: cents });
  }
  return id;
}

async function playToClose(sessionId: number, calls: readonly Told[]): Promise<number> {
  const id = await playEvent(sessionId, calls);
  await pass(calls.at(-1)?.before ?? OPEN_S);
  await timer.close(id);
  return id;
}

/** Eight calls on a side, of which the last is in the last second; the others are $7 together. */
function evenly(lastCents: number): Told[] {
  return [28, 25, 20, 15, 12, 10, 5, 0.5].map((before) => ({ before, cents: before < 1 ? lastCents : 100 }));
}

async function startShow(): Promise<number> {
  await pass(60);
  return (await build.runningSession()).id;
}

/** What is said of the late money of an event with these calls, in a session of its own. */
async function lateOf(calls: readonly Told[], sessionId?: number) {
  const id = sessionId ?? (await startShow());
  const eventId = await playToClose(id, calls);
  return (await showPace(deps, { sessionId: id, eventId }))?.late;
}

test("without an event that has opened there is no pace", async () => {
  const sessionId = await startShow();
  expect(await showPace(deps, { sessionId, eventId: null })).toBeNull();
});

test("an event of another session has no pace here", async () => {
  const eventId = await playEvent(await startShow(), []);
  expect((await refusalOf(showPace(deps, { sessionId: await startShow(), eventId }))).status).toBe(404);
});

test("an open event shows the calls of each complete second, and by the time before the close", async () => {
  const sessionId = await startShow();
  const eventId = await playEvent(sessionId, [
    { before: 29.5 },
    { before: 27.2, side: "false", cents: 250 },
    { before: 27.1 },
  ]);
  await pass(2.1);
  const pace = await showPace(deps, { sessionId, eventId: null });
  expect(pace).toMatchObject({ eventId, callsCount: 3, stepSeconds: 1, late: null });
  expect(pace?.perSecond).toEqual([1, 0, 2, 0]);
  expect(pace?.arrivals.map(({ fromSeconds, calls }) => [fromSeconds, calls])).toEqual([
    [30, 1],
    [29, 0],
    [28, 2],
    [27, 0],
    [26, 0],
  ]);
  expect(pace?.arrivals[2]).toMatchObject({ trueCents: 100, falseCents: 250, false: 2.5 });
});

test("an open event comes before one that closed later", async () => {
  const sessionId = await startShow();
  const open = await playEvent(sessionId, []);
  await timer.close(await playEvent(sessionId, []));
  expect(await showPace(deps, { sessionId, eventId: null })).toMatchObject({ eventId: open });
});

test("late money is no alarm while it is a usual share of a side's money", async () => {
  const late = await lateOf(evenly(50));
  expect(late?.sides[0]).toEqual({
    side: "true",
    late: 0.5,
    lateCents: 50,
    total: 7.5,
    totalCents: 750,
    share: 0.0667,
    alarm: false,
    tooFew: false,
  });
  expect(late).toMatchObject({ lateCents: 50, totalCents: 750, usualShare: null, alarmShare: 0.3 });
});

test("late money is an alarm when most of a side's money came in the last second", async () => {
  const late = await lateOf(evenly(1_300));
  expect(late?.sides.map(({ side, share, alarm }) => ({ side, share, alarm }))).toEqual([
    { side: "true", share: 0.65, alarm: true },
    { side: "false", share: 0, alarm: false },
  ]);
});

test("late money is measured by the session's own earlier events", async () => {
  const sessionId = await startShow();
  for (const cents of [290, 300, 310]) await playToClose(sessionId, evenly(cents));
  const late = await lateOf(evenly(1_050), sessionId);
  // $3 of $10 is usual, so an alarm would be three times as much.
  expect(late).toMatchObject({ usualShare: 0.3, alarmShare: 0.9 });
  expect(late?.sides[0]).toMatchObject({ share: 0.6, alarm: false });
});

test("late money of an event is not compared with those that closed after it", async () => {
  const sessionId = await startShow();
  const eventId = await playToClose(sessionId, evenly(900));
  for (const cents of [900, 900, 900]) await playToClose(sessionId, evenly(cents));
  expect((await showPace(deps, { sessionId, eventId }))?.late).toMatchObject({ usualShare: null });
});

test("late money in few calls is not judged, and is told as such", async () => {
  const late = await lateOf([
    { before: 20, cents: 200 },
    { before: 19, side: "false", cents: 200 },
    { before: 0.5, cents: 3_000 },
    { before: 0.4, side: "false", cents: 3_000 },
  ]);
  expect(late).toMatchObject({ lateCents: 6_000, totalCents: 6_400, share: 0.9375 });
  expect(late).toMatchObject({ alarm: false, tooFew: true, alarmShare: 0.3 });
  expect(late?.sides.map(({ alarm, tooFew }) => [alarm, tooFew])).toEqual([
    [false, true],
    [false, true],
  ]);
});

test("late money in few calls is judged where none came late", async () => {
  const late = await lateOf([{ before: 20 }, { before: 5, side: "false" }]);
  expect(late).toMatchObject({ lateCents: 0, alarm: false, tooFew: false });
});

test("late money in few calls of both sides together is an alarm where each side alone has too few calls", async () => {
  const early = [28, 25, 20].flatMap((before): Told[] => [{ before }, { before, side: "false" }]);
  const late: Told[] = [
    { before: 0.5, cents: 4_000 },
    { before: 0.4, side: "false", cents: 2_000 },
  ];
  const judged = await lateOf([...early, ...late]);
  expect(judged).toMatchObject({ lateCents: 6_000, totalCents: 6_600, alarm: true, tooFew: false });
  expect(judged?.sides.some(({ alarm }) => alarm)).toBe(false);
});

test("late money in few calls on a side with too few calls is told, also where the other side hides it", async () => {
  const many = [28, 25, 20, 15, 12, 10, 8, 5].map((before) => ({ before, cents: 10_000 }));
  const few: Told[] = [{ before: 0.5, side: "false", cents: 5_000 }];
  const judged = await lateOf([...many, ...few]);
  expect(judged).toMatchObject({ alarm: false, tooFew: false });
  expect(judged?.sides.map(({ share, alarm, tooFew }) => ({ share, alarm, tooFew }))).toEqual([
    { share: 0, alarm: false, tooFew: false },
    { share: 1, alarm: false, tooFew: true },
  ]);
});
