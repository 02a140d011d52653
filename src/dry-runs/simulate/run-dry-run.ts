import { asc, eq, sql } from "drizzle-orm";
import { connect, type DatabasePool } from "#db/client.ts";
import { createDatabase, dropDatabase } from "#db/create-database.ts";
import { writeIntegerArray } from "#db/ledger/query.ts";
import { blueprintEvents, blueprints } from "#db/schema/blueprints.ts";
import { events } from "#db/schema/events.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { migrate } from "#db/upgrade/migrate.ts";
import type { Deps } from "#src/base/deps.ts";
import { jobKinds, type Queues } from "#src/base/queues.ts";
import { createRandom } from "#src/base/random.ts";
import { unreachableRedis } from "#src/base/redis.ts";
import type { Store } from "#src/base/store.ts";
import type { Env } from "#src/settings/env.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import type { Plan, Report } from "../schemas.ts";
import { playShow } from "./play-show.ts";
import { type Play, START_MS } from "./play.ts";
import {
  controlClock,
  createAgenda,
  createVirtualQueue,
  readSpots,
  type Show,
  type VirtualQueue,
} from "./show.ts";
import { writeReport } from "./write-report.ts";

type DryRun = Pick<Play, "plan" | "options" | "pulse"> & {
  /** The name of the database that it creates and drops. */
  database: string;
};

/**
 * Plays a plan in a database of its own, beside the product's on the same server: the product's rows, Redis, queues and messages
 * are never touched. The same plan and options give the same text, in any process and at any time.
 * @returns the report as JSON.
 */
export async function runDryRun(
  product: Pick<Deps, "env" | "log">,
  { plan, options, pulse, database }: DryRun,
): Promise<string> {
  const { directDatabaseUrl: productUrl } = product.env;
  const databaseUrl = await createDatabase(productUrl, database);
  try {
    await migrate(databaseUrl);
    return await playIn(product, { databaseUrl, plan, options, pulse });
  } finally {
    await dropDatabase(productUrl, database);
  }
}

async function playIn(
  { env, log }: Pick<Deps, "env" | "log">,
  { databaseUrl, ...run }: Omit<DryRun, "database"> & { databaseUrl: string },
): Promise<string> {
  // One connection: its clock is the show's.
  await using pool = connect(databaseUrl, { poolSize: 1 });
  // A crash loses the whole dry run anyway.
  await pool.sql`SET synchronous_commit = off`;
  const addresses = { databaseUrl, directDatabaseUrl: databaseUrl, ownerDatabaseUrl: databaseUrl };
  const own = { ...env, ...addresses, applicationRole: null };
  const play = await buildPlay({ env: own, log }, { pool, ...run });
  await playShow(play);
  return formatReport(await writeReport(play));
}

/** The report as JSON, with one line for each member of a list, so that two reports can be compared line by line. */
function formatReport(report: Report): string {
  const parts = Object.entries(report).map(([key, value]) => `${JSON.stringify(key)}: ${formatPart(value)}`);
  return `{\n${parts.join(",\n")}\n}\n`;
}

function formatPart(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((member) => JSON.stringify(member)).join(",\n")}\n]`;
}

const store: Store = {
  put: outside("store"),
  get: outside("store"),
  remove: outside("store"),
  trouble: () => null,
};

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
async function buildPlay(
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
    dice: createRandom(`dry run ${options.seed}`),
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

// Decision: a dry run plays the real verbs and SQL, and only its dependencies differ. Verbs read no clock but `game_now()`, and
// everything random follows from the seed. So the same seed gives the same bytes, and the tests' simulator is the same code.

/** What nothing of a simulated show may reach. */
function outside(what: string): () => Promise<never> {
  return () => Promise.reject(new Error(`a simulated show has no ${what}`));
}

/**
 * The dependencies of a show that touches nothing of the product: its own database, a Redis that is away (the database's locks
 * decide), alarms in memory, and no mails, pushes, pictures or broadcasts.
 * @param env with a secret that only the seed decides: it chooses random results.
 */
function virtualDeps(
  { env, log }: { env: Env; log: Deps["log"] },
  { pool, setAlarm }: { pool: DatabasePool } & Pick<VirtualQueue, "setAlarm">,
): Deps {
  return {
    env,
    pool,
    redis: unreachableRedis(),
    queues: virtualQueues(setAlarm),
    store,
    log: log.child({}, { level: "silent" }),
    notifyRelay: () => undefined,
  };
}

/** Only alarms are set. A queue that is new in the product is refused here until somebody decides what it does. */
function virtualQueues(setAlarm: VirtualQueue["setAlarm"]): Queues {
  const refused: object = Object.fromEntries(jobKinds.map((kind) => [kind, outside(kind)]));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries cannot type each key by itself.
  const producers = refused as Omit<Queues, "byName" | "close">;
  return {
    ...producers,
    setAlarm,
    // The simulation pays by itself, in the order of the decisions (payDecided).
    paySettlement: () => Promise.resolve(),
    get byName(): never {
      throw new Error("a simulated show has no BullMQ queues");
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Adds players with a wallet of play money to a database that a simulation owns.
 * @returns what each was granted, in cents, by user id, in the order of the players.
 */
export async function addPlayers(
  { pool: { db } }: Pick<Deps, "pool">,
  players: readonly { username: string; grantCents: number }[],
): Promise<Map<number, number>> {
  const inserted = await db
    .insert(users)
    .values(players.map(({ username }) => ({ username, email: `${username}@example.test` })))
    .returning({ id: users.id });
  const granted = inserted.map(({ id }, index): [number, number] => [id, players[index]?.grantCents ?? 0]);
  const ids = writeIntegerArray(granted.map(([id]) => id));
  const amounts = writeIntegerArray(granted.map(([, amountCents]) => amountCents));
  await db.execute(sql`SELECT open_wallet(id) FROM unnest(${ids}::bigint[]) AS id`);
  await db.execute(sql`SELECT grant_play_money(id, amount, 'welcome-' || id, NULL, 'Welcome')
    FROM unnest(${ids}::bigint[], ${amounts}::bigint[]) AS granted(id, amount)`);
  return new Map(granted);
}
