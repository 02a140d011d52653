import { asc, eq } from "drizzle-orm";
import type { DatabasePool } from "#db/client.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { userRoles, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { createDice } from "#src/base/dice.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import type { DryRunOptions, Plan } from "../schemas.ts";
import { addPlayers } from "./add-players.ts";
import { createAgenda } from "./agenda.ts";
import { type Play, START_MS } from "./play.ts";
import { readSpots, type Show } from "./show.ts";
import { controlClock } from "./virtual-clock.ts";
import { virtualDeps } from "./virtual-deps.ts";
import { createVirtualQueue } from "./virtual-queue.ts";

/** What each player begins with, in cents. */
const GRANT_CENTS = 10_000;

type BuildPlay = Pick<Play, "plan" | "options" | "pulse"> & {
  /** A new and empty database with the schema of this release, and a single connection. */
  pool: DatabasePool;
};

/**
 * Builds a show in a database of its own: a host, the players with their money, and a session generated from a copy of the
 * blueprint. Everything follows from the plan and the options.
 */
export async function buildPlay(
  product: Pick<Deps, "env" | "log">,
  { pool, plan, options, pulse }: BuildPlay,
): Promise<Play> {
  const clock = await controlClock(pool, START_MS);
  const queue = createVirtualQueue(clock.nowMs);
  const env = { ...product.env, secretKey: `dry run ${options.seed}` };
  const deps = virtualDeps({ env, log: product.log }, { pool, setAlarm: queue.setAlarm });
  const host = await addHost(deps);
  const grantedCents = await addPlayers(
    deps,
    Array.from({ length: options.players }, (_, index) => ({
      username: `player_${index + 1}`,
      grantCents: GRANT_CENTS,
    })),
  );
  const session = await generateSession(deps, {
    actor: host,
    blueprintId: await copyBlueprint(deps, plan),
    slug: "dry-run",
  });
  const eventIds = await listEvents(deps, session.id);
  const show: Show = {
    clock,
    queue,
    deps,
    sessionIds: [session.id],
    eventIds,
    spotIds: await readSpots(deps, eventIds),
    calls: [],
    grantedCents,
    sweepPhaseMs: 0,
    lastFactId: 0,
    note: () => undefined,
  };
  return {
    show,
    dice: createDice(diceSeed(options)),
    plan,
    options,
    sessionId: session.id,
    host,
    players: [...grantedCents.keys()],
    agenda: createAgenda(),
    taps: [],
    timeline: [],
    records: eventIds.map(() => ({ ...nothingYet })),
    pulse,
  };
}

const diceSeed = ({ seed }: DryRunOptions) => `dry run ${seed}`;

const nothingYet = {
  visibleAtMs: null,
  openedAtMs: null,
  closesAtMs: null,
  closedAtMs: null,
  decidedAtMs: null,
  resolvedAtMs: null,
  paidAtMs: null,
  result: null,
};

async function addHost({ pool: { db } }: Deps): Promise<{ id: number }> {
  const [host] = await db
    .insert(users)
    .values({ username: "host", email: "host@example.test" })
    .returning({ id: users.id });
  if (host === undefined) throw new Error("the host was not inserted");
  await db.insert(userRoles).values({ userId: host.id, role: "admin" });
  return host;
}

async function copyBlueprint({ pool: { db } }: Deps, { name, settings, events: planned }: Plan) {
  const [blueprint] = await db
    .insert(blueprints)
    .values({ name, defaults: settings })
    .returning({ id: blueprints.id });
  if (blueprint === undefined) throw new Error("the blueprint was not inserted");
  await db
    .insert(blueprintEvents)
    .values(planned.map((event, index) => ({ ...event, blueprintId: blueprint.id, position: index + 1 })));
  return blueprint.id;
}

async function listEvents({ pool: { db } }: Deps, sessionId: number): Promise<number[]> {
  const rows = await db
    .select({ id: events.id })
    .from(events)
    .where(eq(events.sessionId, sessionId))
    .orderBy(asc(events.position));
  return rows.map(({ id }) => id);
}
