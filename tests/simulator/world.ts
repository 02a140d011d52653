import { asc, eq, inArray, sql } from "drizzle-orm";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import type { Side } from "#db/lists/spots.ts";
import { events, spots } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import type { Dice } from "#jobs/demo/dice.ts";
import type { Deps } from "#src/base/deps.ts";
import type { EventRow } from "#src/events/with-event.ts";
import type { SessionSettings } from "#src/sessions/schemas.ts";
import { only } from "#tests/support/build.ts";
import { type PartsPlan, payInParts } from "#tests/support/database.ts";
import { type Clock, controlClock } from "./clock.ts";
import type { Environment } from "./environment.ts";
import { createUnreliableQueue, type Faults, type UnreliableQueue } from "./unreliable-queue.ts";

export const START_MS = Date.parse("2026-11-21T20:00:00Z");

/** A call that was accepted, with its request. */
export type AcceptedCall = {
  callId: number;
  userId: number;
  spotId: number;
  wagerCents: number;
  key: string;
};

/** One small simulated show. Everything in it follows from its plan and its dice. */
export type World = {
  dice: Dice;
  clock: Clock;
  queue: UnreliableQueue;
  deps: Deps;
  /** The first also plays, and may therefore have a conflict of interest. */
  admins: readonly { id: number }[];
  players: readonly { id: number }[];
  /** What each player was granted, in cents. */
  grantedCents: ReadonlyMap<number, number>;
  sessionIds: readonly number[];
  /** In the order of creation; admins add to them. */
  eventIds: number[];
  spotIds: Map<number, Record<Side, number>>;
  calls: AcceptedCall[];
  /** A sweep runs once a second, this many milliseconds after the full second. */
  sweepPhaseMs: number;
  /** Parts have another size than usual. */
  paysInParts: boolean;
  /** The id of the last fact before this world. */
  lastFactId: number;
  /** What has happened, with the moment on the world's clock. It names no row ids, so that two runs give the same trace. */
  trace: string[];
};

/** The initial data of a world. */
export type WorldPlan = {
  faults: Faults;
  sweepPhaseMs: number;
  /** In cents, in this order: the admin who plays, the admin who does not, the players. */
  grantsCents: readonly number[];
  settings: SessionSettings;
  /** Above how many calls a settlement is large, and how many a part has; null: the product's values. */
  paying: PartsPlan | null;
  /** The events of each session, in their order. */
  shows: readonly (readonly EventPlan[])[];
};
export type EventPlan = Pick<
  EventRow,
  | "startMode"
  | "offsetSeconds"
  | "durationSeconds"
  | "leadSeconds"
  | "resolveWithinSeconds"
  | "autoResult"
  | "minWagerCents"
  | "maxWagerCents"
>;

/** Builds pending sessions with draft events, players with money, and two admins. */
export async function buildWorld(environment: Environment, dice: Dice, plan: WorldPlan): Promise<World> {
  const clock = await controlClock(environment.deps.pool, START_MS);
  const queue = createUnreliableQueue(dice, plan.faults, clock.nowMs);
  const deps: Deps = {
    ...environment.deps,
    queues: { ...environment.deps.queues, setAlarm: queue.setAlarm, paySettlement: () => Promise.resolve() },
    get redis() {
      return queue.isDown ? environment.unreachableRedis : environment.deps.redis;
    },
  };
  if (plan.paying !== null) await payInParts(deps.pool, plan.paying);
  const { db } = deps.pool;
  const [newest] = await db.select({ last: sql<number>`coalesce(max(${outbox.id}), 0)::int` }).from(outbox);
  const grantedCents = await buildPlayers(deps, plan);
  const accounts = [...grantedCents.keys()].map((id) => ({ id }));
  const sessionIds = await buildSessions(deps, plan);
  return {
    dice,
    clock,
    queue,
    deps,
    admins: accounts.slice(0, 2),
    players: [...accounts.slice(0, 1), ...accounts.slice(2)],
    grantedCents,
    sessionIds,
    ...(await buildEvents(deps, plan, sessionIds)),
    calls: [],
    paysInParts: plan.paying !== null,
    sweepPhaseMs: plan.sweepPhaseMs,
    lastFactId: newest?.last ?? 0,
    trace: [],
  };
}

async function buildPlayers(
  { pool: { db } }: Deps,
  { grantsCents }: WorldPlan,
): Promise<Map<number, number>> {
  const unique = crypto.randomUUID().slice(0, 12).replace("-", "");
  const inserted = await db
    .insert(users)
    .values(
      grantsCents.map((_, index) => ({
        username: `p${index}_${unique}`,
        email: `p${index}.${unique}@example.test`,
      })),
    )
    .returning({ id: users.id });
  const granted = inserted.map(({ id }, index): [number, number] => [id, grantsCents[index] ?? 0]);
  const ids = writeIntegerArray(granted.map(([id]) => id));
  const amounts = writeIntegerArray(granted.map(([, amountCents]) => amountCents));
  await db.execute(sql`SELECT open_wallet(id) FROM unnest(${ids}::bigint[]) AS id`);
  await db.execute(sql`SELECT grant_play_money(id, amount, 'world-' || id, NULL, 'Welcome')
    FROM unnest(${ids}::bigint[], ${amounts}::bigint[]) AS granted(id, amount)`);
  return new Map(granted);
}

async function buildSessions({ pool: { db } }: Deps, { shows, settings }: WorldPlan): Promise<number[]> {
  const inserted = await db
    .insert(sessions)
    .values(
      shows.map(() => ({ slug: `world-${crypto.randomUUID()}`, name: "World", settings: { ...settings } })),
    )
    .returning({ id: sessions.id });
  return inserted.map(({ id }) => id);
}

async function buildEvents(
  { pool: { db } }: Deps,
  { shows }: WorldPlan,
  sessionIds: readonly number[],
): Promise<Pick<World, "eventIds" | "spotIds">> {
  const planned = shows.flatMap((show, showIndex) =>
    show.map((event, eventIndex) => ({
      ...event,
      title: "Will it happen?",
      sessionId: sessionIds[showIndex] ?? null,
      position: eventIndex + 1,
    })),
  );
  const inserted = await db.insert(events).values(planned).returning({ id: events.id });
  const eventIds = inserted.map(({ id }) => id);
  const sides = eventIds.flatMap((eventId) => [
    { eventId, side: "true" as const },
    { eventId, side: "false" as const },
  ]);
  const rows = await db
    .insert(spots)
    .values(sides)
    .returning({ id: spots.id, eventId: spots.eventId, side: spots.side });
  const spotIds = new Map(eventIds.map((id) => [id, { true: 0, false: 0 }]));
  for (const { id, eventId, side } of rows) Object.assign(spotIds.get(eventId) ?? {}, { [side]: id });
  return { eventIds, spotIds };
}

/** A random item. */
export function pick<Item>(dice: Dice, items: readonly Item[]): Item {
  const item = items[dice.between(0, items.length - 1)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}

/** Adds a line to the trace, with the seconds since the start. */
export function record(world: World, what: string): void {
  world.trace.push(`${((world.clock.nowMs() - START_MS) / 1_000).toFixed(3)} s  ${what}`);
}

/** An event's name in the trace: its position in the order of creation. */
export const nameOf = ({ eventIds }: World, eventId: number) => `event ${eventIds.indexOf(eventId) + 1}`;

/** The world's events, each with its session. It is read often, so it has only the columns that are used. */
export function readSnapshots({ deps, eventIds }: World) {
  return deps.pool.db
    .select(snapshotColumns)
    .from(events)
    .innerJoin(sessions, eq(sessions.id, events.sessionId))
    .where(inArray(events.id, eventIds))
    .orderBy(asc(events.id));
}
export type EventSnapshot = Awaited<ReturnType<typeof readSnapshots>>[number];

const snapshotColumns = {
  event: {
    id: events.id,
    state: events.state,
    round: events.round,
    result: events.result,
    pendingResult: events.pendingResult,
    opensAt: events.opensAt,
    closesAt: events.closesAt,
    nextTransition: events.nextTransition,
    dueAt: events.dueAt,
    remainingMs: events.remainingMs,
  },
  session: { id: sessions.id, state: sessions.state, active: sessions.active, pausedAt: sessions.pausedAt },
};

/** Adds a new event to the world. */
export async function addToWorld(world: World, eventId: number): Promise<void> {
  world.eventIds.push(eventId);
  world.spotIds.set(eventId, await findSpots(world.deps, eventId));
}

/** The spot of a side. */
export function spotOf({ spotIds }: World, eventId: number, side: Side): number {
  const both = spotIds.get(eventId);
  if (both === undefined) throw new Error(`event ${eventId} is not of this world`);
  return both[side];
}

async function findSpots({ pool }: Pick<Deps, "pool">, eventId: number): Promise<Record<Side, number>> {
  const rows = await pool.db
    .select({ id: spots.id, side: spots.side })
    .from(spots)
    .where(eq(spots.eventId, eventId));
  const of = (side: Side) => only(rows.filter((spot) => spot.side === side)).id;
  return { true: of("true"), false: of("false") };
}
