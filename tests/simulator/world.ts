import { asc, inArray, sql } from "drizzle-orm";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { openWallet } from "#db/ledger/open-wallet.ts";
import { events, spots } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { createDice, type Dice } from "#jobs/demo/dice.ts";
import type { Deps } from "#src/deps.ts";
import { only } from "#tests/support/build.ts";
import { type Clock, takeClock } from "./clock.ts";
import type { Stage } from "./stage.ts";
import { createUnreliableQueue, type Habits, type UnreliableQueue } from "./unreliable-queue.ts";

const START_MS = Date.parse("2026-11-21T20:00:00Z");
const PLAYERS = 4;

/** A call that was taken, and what its player said of it. */
export type TakenCall = { callId: number; userId: number; spotId: number; wagerCents: number; key: string };

/** One small show on a stage: everything in it follows from its seed. */
export type World = {
  dice: Dice;
  clock: Clock;
  queue: UnreliableQueue;
  deps: Deps;
  /** The first plays in its events too, for whom a conflict of interest may stand in the way. */
  admins: readonly { id: number }[];
  players: readonly { id: number }[];
  /** What each player was granted, in cents. */
  grantedCents: ReadonlyMap<number, number>;
  sessionIds: readonly number[];
  /** In the order in which they were made; admins add to them. */
  eventIds: number[];
  calls: TakenCall[];
  /** The sweeps of all processes come once a second, at this part of it. */
  sweepPhaseMs: number;
  /** The number of the last fact that was told before this world. */
  toldBefore: number;
  /** What has happened, by the clock of this world; never an id of a row, so that two runs tell the same. */
  trail: string[];
};

/** Builds the world of a seed: one or two pending sessions with their events, players with a little money, two admins. */
export async function buildWorld(stage: Stage, seed: number): Promise<World> {
  const dice = createDice(`world ${seed}`);
  const clock = await takeClock(stage.deps.pool, START_MS);
  const queue = createUnreliableQueue(dice, habitsOf(dice), clock.nowMs);
  const deps: Deps = {
    ...stage.deps,
    queues: { ...stage.deps.queues, setAlarm: queue.setAlarm },
    get redis() {
      return queue.away ? stage.redisAway : stage.deps.redis;
    },
  };
  const { db } = deps.pool;
  const [told] = await db.select({ last: sql<number>`coalesce(max(${outbox.id}), 0)::int` }).from(outbox);
  const { players, grantedCents } = await buildPlayers(deps, dice, seed);
  const sessionIds = await buildSessions(deps, dice, seed);
  const eventIds = await buildEvents(deps, dice, sessionIds);
  return {
    dice,
    clock,
    queue,
    deps,
    admins: players.slice(0, 2),
    players: [...players.slice(0, 1), ...players.slice(2)],
    grantedCents,
    sessionIds,
    eventIds,
    calls: [],
    sweepPhaseMs: dice.between(0, 999),
    toldBefore: told?.last ?? 0,
    trail: [],
  };
}

/** Half of the queues do as they should, which leaves the rest to go wrong. */
function habitsOf(dice: Dice): Habits {
  const often = () => (dice.chance(0.5) ? 0 : dice.between(5, 60) / 100);
  return { late: often(), twice: often(), never: often(), early: often() };
}

async function buildPlayers(deps: Deps, dice: Dice, seed: number) {
  const { db } = deps.pool;
  const name = (index: number) => `s${seed}_${index}_${crypto.randomUUID().slice(0, 6)}`;
  const players = await db
    .insert(users)
    .values(
      Array.from({ length: PLAYERS + 1 }, (_, index) => ({
        username: name(index),
        email: `${name(index)}@example.test`,
      })),
    )
    .returning({ id: users.id });
  const grantedCents = new Map<number, number>();
  for (const { id: userId } of players) {
    const amountCents = dice.between(200, 6_000);
    await openWallet(db, userId);
    await grantPlayMoney(db, { userId, amountCents, idempotencyKey: `world-${userId}`, reason: "Welcome" });
    grantedCents.set(userId, amountCents);
  }
  return { players, grantedCents };
}

async function buildSessions({ pool: { db } }: Deps, dice: Dice, seed: number): Promise<number[]> {
  const settings = { leadSeconds: dice.between(0, 8), smallRoom: dice.chance(0.3) };
  const count = dice.chance(0.3) ? 2 : 1;
  const made = await db
    .insert(sessions)
    .values(
      Array.from({ length: count }, (_, index) => ({
        slug: `world-${seed}-${index}-${crypto.randomUUID().slice(0, 8)}`,
        name: `World ${seed}`,
        settings,
      })),
    )
    .returning({ id: sessions.id });
  return made.map(({ id }) => id);
}

/** Two to four events in the first session, one in the second. */
async function buildEvents(
  { pool: { db } }: Deps,
  dice: Dice,
  [main, ...others]: readonly number[],
): Promise<number[]> {
  const owners = [...Array.from({ length: dice.between(2, 4) }, () => main), ...others];
  const made = await db
    .insert(events)
    .values(owners.map((sessionId, index) => ({ ...termsOf(dice), sessionId, position: index + 1 })))
    .returning({ id: events.id });
  const ids = made.map(({ id }) => id).toSorted((one, other) => one - other);
  await db.insert(spots).values(
    ids.flatMap((eventId) => [
      { eventId, side: "true" as const },
      { eventId, side: "false" as const },
    ]),
  );
  return ids;
}

/** A random result is left out: it depends on the row's number, which is another one when the seed is played alone. */
function termsOf(dice: Dice) {
  return {
    title: "Will it happen?",
    startMode: dice.chance(0.8) ? ("after_previous" as const) : ("offset" as const),
    offsetSeconds: dice.between(0, 12),
    durationSeconds: dice.between(5, 30),
    leadSeconds: dice.between(0, 8),
    resolveWithinSeconds: dice.between(0, 10),
    autoResult: pick(dice, [null, null, "true", "false"] as const),
    minWagerCents: dice.chance(0.2) ? 50 : 1,
    maxWagerCents: dice.chance(0.3) ? dice.between(100, 900) : null,
  };
}

/** One of several. */
export function pick<Item>(dice: Dice, items: readonly Item[]): Item {
  const item = items[dice.between(0, items.length - 1)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}

/** Writes down what happened, with the seconds since the start. */
export function note(world: World, what: string): void {
  world.trail.push(`${((world.clock.nowMs() - START_MS) / 1_000).toFixed(3)} s  ${what}`);
}

/** How an event is called in the trail: its place in the order in which they were made. */
export const nameOf = ({ eventIds }: World, eventId: number) => `event ${eventIds.indexOf(eventId) + 1}`;

/** Everything that is known of the world's events now, each with its session. */
export function readStands({ deps, eventIds }: World) {
  return deps.pool.db
    .select({ event: events, session: sessions })
    .from(events)
    .innerJoin(sessions, sql`${sessions.id} = ${events.sessionId}`)
    .where(inArray(events.id, eventIds))
    .orderBy(asc(events.id));
}
export type Stand = Awaited<ReturnType<typeof readStands>>[number];

/** The spot of a side. */
export async function findSpot({ deps }: World, eventId: number, side: "true" | "false"): Promise<number> {
  const rows = await deps.pool.db
    .select({ id: spots.id })
    .from(spots)
    .where(sql`${spots.eventId} = ${eventId} AND ${spots.side} = ${side}`);
  return only(rows).id;
}
