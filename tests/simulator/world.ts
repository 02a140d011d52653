import { sql } from "drizzle-orm";
import { events, spots } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Random } from "#src/base/random.ts";
import { addPlayers } from "#src/dry-runs/simulate/build-play.ts";
import { readSpots, type Show } from "#src/dry-runs/simulate/show.ts";
import { controlClock } from "#src/dry-runs/simulate/virtual-clock.ts";
import { payInParts } from "#tests/support/database.ts";
import type { Environment } from "./environment.ts";
import { createModel, type Model } from "./model/model.ts";
import { START_MS, type WorldPlan } from "./plan-world.ts";
import { createUnreliableQueue, type UnreliableQueue } from "./unreliable-queue.ts";

/** One small simulated show. Everything in it follows from its plan and its dice. */
export type World = Show & {
  dice: Random;
  queue: UnreliableQueue;
  /** The first also plays, and may therefore have a conflict of interest. */
  admins: readonly { id: number }[];
  players: readonly { id: number }[];
  /** What must happen in it, if it is compared with a model of the game; otherwise null. */
  model: Model | null;
  /** Parts have another size than usual. */
  paysInParts: boolean;
  /** What has happened, with the moment on the world's clock. It names no row ids, so that two runs give the same trace. */
  trace: string[];
};

/** Builds pending sessions with draft events, players with money, and two admins. @param options hasModel: with a model of its one session. */
export async function buildWorld(
  environment: Environment,
  dice: Random,
  plan: WorldPlan,
  { hasModel = false } = {},
): Promise<World> {
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
  const unique = crypto.randomUUID().slice(0, 12).replace("-", "");
  const players = plan.grantsCents.map((grantCents, index) => ({
    username: `p${index}_${unique}`,
    grantCents,
  }));
  const grantedCents = await addPlayers(deps, players);
  const accounts = [...grantedCents.keys()].map((id) => ({ id }));
  const sessionIds = await buildSessions(deps, plan);
  const world: World = {
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
    model: hasModel ? createModel(plan) : null,
    paysInParts: plan.paying !== null,
    sweepPhaseMs: plan.sweepPhaseMs,
    lastFactId: newest?.last ?? 0,
    trace: [],
    note: (what) => record(world, what),
  };
  return world;
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
  { pool }: Deps,
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
  const inserted = await pool.db.insert(events).values(planned).returning({ id: events.id });
  const eventIds = inserted.map(({ id }) => id);
  const sides = eventIds.flatMap((eventId) => [
    { eventId, side: "true" as const },
    { eventId, side: "false" as const },
  ]);
  await pool.db.insert(spots).values(sides);
  return { eventIds, spotIds: await readSpots({ pool }, eventIds) };
}

/** Adds a line to the trace, with the seconds since the start. */
export function record(world: World, what: string): void {
  world.trace.push(`${((world.clock.nowMs() - START_MS) / 1_000).toFixed(3)} s  ${what}`);
}

/** Moves the clock, and no timer runs: by a millisecond, so that no two actions happen at the same instant. */
export async function tick({ clock, model }: World, byMs = 1): Promise<void> {
  await clock.setMs(clock.nowMs() + byMs);
  if (model !== null) model.nowMs += byMs;
}

/** Adds a new event to the world. */
export async function addToWorld(world: World, eventId: number): Promise<void> {
  world.eventIds.push(eventId);
  for (const [id, both] of await readSpots(world.deps, [eventId])) world.spotIds.set(id, both);
}
