import { asc, inArray, sql } from "drizzle-orm";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { openWallet } from "#db/ledger/open-wallet.ts";
import { events, spots } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import type { Dice } from "#jobs/demo/dice.ts";
import type { Deps } from "#src/deps.ts";
import type { EventRow } from "#src/events/with-event.ts";
import type { SessionSettings } from "#src/sessions/contract.ts";
import { only } from "#tests/support/build.ts";
import { type Clock, takeClock } from "./clock.ts";
import type { Stage } from "./stage.ts";
import { createUnreliableQueue, type Habits, type UnreliableQueue } from "./unreliable-queue.ts";

export const START_MS = Date.parse("2026-11-21T20:00:00Z");

/** A call that was taken, and what its player said of it. */
export type TakenCall = { callId: number; userId: number; spotId: number; wagerCents: number; key: string };

/** One small show on a stage: everything in it follows from its plan and its dice. */
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

/** What a world starts with. */
export type WorldPlan = {
  habits: Habits;
  sweepPhaseMs: number;
  /** In cents: of the admin who plays, of the one who does not, and of the players. */
  grantsCents: readonly number[];
  settings: SessionSettings;
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

/** Builds pending sessions with their events as drafts, players with their money, and two admins. */
export async function buildWorld(stage: Stage, dice: Dice, plan: WorldPlan): Promise<World> {
  const clock = await takeClock(stage.deps.pool, START_MS);
  const queue = createUnreliableQueue(dice, plan.habits, clock.nowMs);
  const deps: Deps = {
    ...stage.deps,
    queues: { ...stage.deps.queues, setAlarm: queue.setAlarm },
    get redis() {
      return queue.away ? stage.redisAway : stage.deps.redis;
    },
  };
  const { db } = deps.pool;
  const [told] = await db.select({ last: sql<number>`coalesce(max(${outbox.id}), 0)::int` }).from(outbox);
  const grantedCents = await buildPlayers(deps, plan);
  const everybody = [...grantedCents.keys()].map((id) => ({ id }));
  const sessionIds = await buildSessions(deps, plan);
  return {
    dice,
    clock,
    queue,
    deps,
    admins: everybody.slice(0, 2),
    players: [...everybody.slice(0, 1), ...everybody.slice(2)],
    grantedCents,
    sessionIds,
    eventIds: await buildEvents(deps, plan, sessionIds),
    calls: [],
    sweepPhaseMs: plan.sweepPhaseMs,
    toldBefore: told?.last ?? 0,
    trail: [],
  };
}

async function buildPlayers(
  { pool: { db } }: Deps,
  { grantsCents }: WorldPlan,
): Promise<Map<number, number>> {
  const unique = crypto.randomUUID().slice(0, 12).replace("-", "");
  const made = await db
    .insert(users)
    .values(
      grantsCents.map((_, index) => ({
        username: `p${index}_${unique}`,
        email: `p${index}.${unique}@example.test`,
      })),
    )
    .returning({ id: users.id });
  const grantedCents = new Map<number, number>();
  for (const [index, { id: userId }] of made.entries()) {
    const amountCents = grantsCents[index] ?? 0;
    await openWallet(db, userId);
    await grantPlayMoney(db, { userId, amountCents, idempotencyKey: `world-${userId}`, reason: "Welcome" });
    grantedCents.set(userId, amountCents);
  }
  return grantedCents;
}

async function buildSessions({ pool: { db } }: Deps, { shows, settings }: WorldPlan): Promise<number[]> {
  const made = await db
    .insert(sessions)
    .values(
      shows.map(() => ({ slug: `world-${crypto.randomUUID()}`, name: "World", settings: { ...settings } })),
    )
    .returning({ id: sessions.id });
  return made.map(({ id }) => id);
}

async function buildEvents(
  { pool: { db } }: Deps,
  { shows }: WorldPlan,
  sessionIds: readonly number[],
): Promise<number[]> {
  const planned = shows.flatMap((show, index) =>
    show.map((event, place) => ({
      ...event,
      title: "Will it happen?",
      sessionId: sessionIds[index] ?? null,
      position: place + 1,
    })),
  );
  const made = await db.insert(events).values(planned).returning({ id: events.id });
  const ids = made.map(({ id }) => id);
  await db.insert(spots).values(
    ids.flatMap((eventId) => [
      { eventId, side: "true" as const },
      { eventId, side: "false" as const },
    ]),
  );
  return ids;
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
