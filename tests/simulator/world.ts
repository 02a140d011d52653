import { expect } from "bun:test";
import { asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { DatabasePool } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { startModes } from "#db/lists/events.ts";
import { events, spots } from "#db/schema/events.ts";
import { settlements } from "#db/schema/ledger.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Random } from "#src/base/random.ts";
import { unreachableRedis } from "#src/base/redis.ts";
import { checkShow, listShowCalls } from "#src/dry-runs/simulate/check-show.ts";
import { addPlayers } from "#src/dry-runs/simulate/run-dry-run.ts";
import {
  controlClock,
  createVirtualQueue,
  nameOf,
  readSpots,
  type Show,
  type VirtualQueue,
} from "#src/dry-runs/simulate/show.ts";
import { paySettlement } from "#src/play/settlements/pay-settlement.ts";
import { planOf } from "#tests/dry-runs/plan.ts";
import { computePayouts } from "#tests/ledger/compute-payouts.ts";
import { listDifferences } from "#tests/support/books.ts";
import { payInParts } from "#tests/support/database.ts";
import { buildDeps } from "#tests/support/deps.ts";
import { setRows } from "#tests/support/rows.ts";

const START_MS = Date.parse("2026-11-21T20:00:00Z");
const PLAYERS = 4;
const LATE_MS_MAX = 9_000;
/** For less than this a worker waits in real time, which does not move the simulation's clock. */
const EARLY_MS_MIN = 60;
const EARLY_MS_MAX = 3_000;

/**
 * The servers on which simulations run one after the other: a database with a single connection, so that its clock can be
 * controlled, and a Redis for the locks.
 */
export type Environment = {
  deps: Deps;
  /** Removes all timed transitions and the active flag that the last simulation has left. */
  finishAll: () => Promise<void>;
  close: () => Promise<void>;
};

export async function openEnvironment(): Promise<Environment> {
  const deps = await buildDeps({}, { poolSize: 1 });
  const { db } = deps.pool;
  return {
    deps,
    finishAll: async () => {
      await setRows(db, events, isNotNull(events.nextTransition), {
        dueAt: null,
        nextTransition: null,
        remainingMs: null,
      });
      await db.update(sessions).set({ active: false }).where(eq(sessions.active, true));
    },
    close: () => deps.close(),
  };
}

/** One small simulated show: a dry run's, with admins, faults of the queue, and a Redis that goes away. */
export type World = Show & {
  dice: Random;
  /** While it is down, no alarm can be set and none is delivered, and Redis is away. */
  queue: VirtualQueue & { isDown: boolean };
  /** The first also plays, and may therefore have a conflict of interest. */
  admins: readonly { id: number }[];
  players: readonly { id: number }[];
  /** Parts have another size than usual. */
  paysInParts: boolean;
  /** What has happened, with the moment on the world's clock. It names no row ids, so that two runs give the same trace. */
  trace: string[];
};

/** Builds one or two pending sessions with a few draft events, players with a little money, and two admins, all by the dice. */
export async function buildWorld(environment: Environment, dice: Random): Promise<World> {
  const { pool } = environment.deps;
  const clock = await controlClock(pool, START_MS);
  const queue = createUnreliableQueue(dice, clock.nowMs);
  const away = unreachableRedis();
  const deps: Deps = {
    ...environment.deps,
    queues: { ...environment.deps.queues, setAlarm: queue.setAlarm, paySettlement: () => Promise.resolve() },
    get redis() {
      return queue.isDown ? away : environment.deps.redis;
    },
  };
  const leadSeconds = dice.between(0, 8);
  // Now and then a few calls already make a large settlement, which is paid one or two calls at a time.
  const parts = dice.chance(0.1) ? { atOnceMax: dice.between(0, 3), partMax: dice.between(1, 2) } : null;
  if (parts !== null) await payInParts(pool, parts);
  const [newest] = await pool.db
    .select({ last: sql<number>`coalesce(max(${outbox.id}), 0)::int` })
    .from(outbox);
  const unique = crypto.randomUUID().slice(0, 12).replace("-", "");
  const grantedCents = await addPlayers(
    deps,
    Array.from({ length: PLAYERS + 1 }, (_, index) => ({
      username: `p${index}_${unique}`,
      grantCents: dice.between(200, 6_000),
    })),
  );
  const accounts = [...grantedCents.keys()].map((id) => ({ id }));
  const shows = [dice.between(2, 4), ...(dice.chance(0.3) ? [1] : [])];
  const sessionIds = await insertSessions(pool, { count: shows.length, dice, leadSeconds });
  const world: World = {
    dice,
    clock,
    queue,
    deps,
    admins: accounts.slice(0, 2),
    players: [...accounts.slice(0, 1), ...accounts.slice(2)],
    grantedCents,
    sessionIds,
    eventIds: [],
    spotIds: new Map(),
    calls: [],
    paysInParts: parts !== null,
    sweepPhaseMs: dice.between(0, 999),
    lastFactId: newest?.last ?? 0,
    trace: [],
    note: (what) => record(world, what),
  };
  for (const [index, count] of shows.entries())
    for (let position = 1; position <= count; position += 1)
      await addToWorld(
        world,
        await insertEvent(world, { sessionId: sessionIds[index], position, leadSeconds }),
      );
  return world;
}

async function insertSessions(
  { db }: DatabasePool,
  { count, dice, leadSeconds }: { count: number; dice: Random; leadSeconds: number },
): Promise<number[]> {
  const rows = Array.from({ length: count }, () => ({
    slug: `world-${crypto.randomUUID()}`,
    name: "World",
    settings: settingsOf(dice, leadSeconds),
  }));
  return (await db.insert(sessions).values(rows).returning({ id: sessions.id })).map(({ id }) => id);
}

const settingsOf = (dice: Random, leadSeconds: number) => ({
  ...planOf().settings,
  leadSeconds,
  settlementDelaySeconds: dice.chance(0.6) ? 0 : dice.between(1, 12),
  smallRoom: dice.chance(0.3),
});

/** Without random results: they depend on the row's id, which differs when the seed is run alone. */
async function insertEvent(
  { dice, deps: { pool } }: World,
  place: { sessionId: number | undefined; position: number; leadSeconds: number },
): Promise<number> {
  const terms = {
    startMode: dice.chance(0.5) ? ("after_previous" as const) : pick(dice, startModes),
    offsetSeconds: dice.between(0, 12),
    durationSeconds: dice.between(5, 30),
    resolveWithinSeconds: dice.between(0, 10),
    autoResult: pick(dice, [null, null, "true", "false"] as const),
    minWagerCents: dice.chance(0.2) ? 50 : 1,
    maxWagerCents: dice.chance(0.3) ? dice.between(100, 900) : null,
  };
  const [event] = await pool.db
    .insert(events)
    .values({ title: "Will it happen?", ...place, ...terms })
    .returning({ id: events.id });
  const eventId = event?.id ?? 0;
  await pool.db.insert(spots).values((["true", "false"] as const).map((side) => ({ eventId, side })));
  return eventId;
}

/** A queue in memory that delivers at random late, twice, never or too early, and therefore out of order. */
function createUnreliableQueue(dice: Random, nowMs: () => number): World["queue"] {
  // Half of the fault rates are 0, so that the other faults also occur alone.
  const rate = () => (dice.chance(0.5) ? 0 : dice.between(5, 60) / 100);
  const [late, twice, never, early] = [rate(), rate(), rate(), rate()];
  const errorMs = (delayMs: number): number => {
    if (dice.chance(late)) return dice.between(1, LATE_MS_MAX);
    if (delayMs > EARLY_MS_MAX && dice.chance(early)) return -dice.between(EARLY_MS_MIN, EARLY_MS_MAX);
    return 0;
  };
  const reliable = createVirtualQueue(nowMs, (delayMs) => {
    const copies = dice.chance(twice) ? 2 : 1;
    return Array.from({ length: copies }, () => (dice.chance(never) ? [] : [errorMs(delayMs)])).flat();
  });
  const queue: World["queue"] = {
    ...reliable,
    isDown: false,
    nextMs: () => (queue.isDown ? null : reliable.nextMs()),
    setAlarm: async (alarm, delayMs) => {
      if (queue.isDown) throw new Error("Redis is down");
      await reliable.setAlarm(alarm, delayMs);
    },
  };
  return queue;
}

export function pick<Item>(dice: Random, items: readonly Item[]): Item {
  const item = items[dice.between(0, items.length - 1)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}

/** Adds a line to the trace, with the seconds since the start. */
export function record(world: World, what: string): void {
  world.trace.push(`${((world.clock.nowMs() - START_MS) / 1_000).toFixed(3)} s  ${what}`);
}

/** Moves the clock, and no timer runs: by a millisecond, so that no two actions happen at the same instant. */
export const tick = ({ clock }: World, byMs = 1) => clock.setMs(clock.nowMs() + byMs);

export async function addToWorld(world: World, eventId: number): Promise<void> {
  world.eventIds.push(eventId);
  for (const [id, both] of await readSpots(world.deps, [eventId])) world.spotIds.set(id, both);
}

/** Pays a part of a settlement now and then. The books agree between two parts. */
export async function maybePayPart(world: World): Promise<void> {
  const { deps, dice } = world;
  if (dice.chance(0.4)) return;
  const [unpaid] = await listUnpaidSettlements(deps.pool.db, world.eventIds);
  if (unpaid === undefined) return;
  if (dice.chance(0.2)) expect(await listDifferences(deps.pool.db)).toEqual([]);
  const progress = await paySettlement(deps, unpaid.eventId, { budgetMs: 0 });
  record(world, `a part of ${nameOf(world, unpaid.eventId)} is paid: ${progress}`);
}

/** Checks all invariants of a world, which hold at every moment, and what its settlements have paid; throws at the first violation. */
export async function checkWorld(world: World): Promise<void> {
  const violations = Object.entries(await checkShow(world)).filter(([, found]) => found.length > 0);
  expect(violations).toEqual([]);
  const calls = await listShowCalls(world);
  const settled = await world.deps.pool.db
    .select()
    .from(settlements)
    .where(inArray(settlements.eventId, world.eventIds))
    .orderBy(asc(settlements.id));
  for (const { eventId, round, result, effectiveAt, superseded } of settled) {
    if (superseded) continue;
    const own = calls.filter(
      (call) => call.eventId === eventId && call.round === round && call.state === "resolved",
    );
    const paid = computePayouts(
      own.map((call) => ({ ...call, callId: call.id, placedAtUs: usOf(call.placedAt) })),
      { result, effectiveAtUs: effectiveAt === null ? null : usOf(effectiveAt) },
    );
    const stored = new Map<number, unknown>(
      own.map(({ id, payoutCents, outcome }) => [id, { payoutCents, outcome }]),
    );
    expect(stored).toEqual(paid);
  }
}

/** The world's clock has whole milliseconds. */
const usOf = (moment: Date) => moment.getTime() * 1_000;
