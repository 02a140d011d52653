import { createHash } from "node:crypto";
import { and, asc, eq, inArray, lt, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { addressOf } from "#db/address.ts";
import { DatabaseNotCreated, dropDatabase, listDatabases } from "#db/create-database.ts";
import { type DryRunFailure, unfinishedDryRunStates } from "#db/lists/dry-runs.ts";
import { pick } from "#db/pick.ts";
import { dryRuns } from "#db/schema/dry-runs.ts";
import type { Deps } from "#src/base/deps.ts";
import { DRY_RUN_KEPT_DAYS } from "../contract.ts";
import { dryRunOptions, plan } from "../schemas.ts";
import type { Play } from "./play.ts";
import { runDryRun } from "./run-dry-run.ts";

/** A dry run that takes longer fails. */
const PLAYS_MAX_MS = 300_000;
const SIGN_OF_LIFE_EVERY_MS = 250;
/** A worker that has given no sign of life for this long has died, and another one plays the dry run from its beginning. */
export const DEAD_AFTER_S = 30;

type Claimed = { id: number; attempt: number; plan: unknown; options: unknown };

const WAITED_S = 5;

/** Ends a run early. `interrupted`: the worker stops, and another one plays it. */
class Stopped extends Error {
  readonly why: "cancelled" | "interrupted" | "too_long";

  constructor(why: Stopped["why"]) {
    super(`the dry run was stopped: ${why}`);
    this.why = why;
  }
}

/**
 * Plays a dry run and stores its report. One that has ended, or that another worker plays, is left alone.
 * @param isStopping true when the process is going to end: then the dry run waits for the next worker.
 */
export async function performDryRun(
  deps: Pick<Deps, "env" | "pool" | "log">,
  dryRunId: number,
  isStopping: () => boolean = () => false,
): Promise<"ended" | "interrupted"> {
  const claimed = await claim(deps, dryRunId);
  if (claimed === null) return "ended";
  try {
    const report = await runDryRun(deps, {
      plan: v.parse(plan, claimed.plan),
      options: v.parse(dryRunOptions, claimed.options),
      database: `${databasePrefix(deps.env.databaseUrl)}${claimed.id}`,
      pulse: createPulse(deps, claimed, isStopping),
    });
    await end(deps, claimed, { state: "done", report });
  } catch (error) {
    if (error instanceof Stopped && error.why === "cancelled") return "ended";
    if (error instanceof Stopped && error.why === "interrupted") {
      await changeOwn(deps, claimed, { state: "waiting", movedAt: null });
      return "interrupted";
    }
    const failure = failureOf(error);
    if (failure !== "too_long") deps.log.error({ err: error, dryRunId }, "a dry run failed");
    await end(deps, claimed, { state: "failed", failure });
  }
  return "ended";
}

function failureOf(error: unknown): DryRunFailure {
  if (error instanceof DatabaseNotCreated) return "no_database";
  return error instanceof Stopped ? "too_long" : "error";
}

/** Takes a dry run that waits, or whose worker has died. */
async function claim({ pool }: Pick<Deps, "pool">, id: number): Promise<Claimed | null> {
  const isDead = sql`${dryRuns.state} = 'playing' AND ${dryRuns.movedAt} < clock_timestamp() - make_interval(secs => ${DEAD_AFTER_S})`;
  const [row] = await pool.db
    .update(dryRuns)
    .set({
      state: "playing",
      attempt: sql`${dryRuns.attempt} + 1`,
      movedAt: sql`clock_timestamp()`,
      eventsDone: 0,
      callsCount: 0,
    })
    .where(and(eq(dryRuns.id, id), sql`(${dryRuns.state} = 'waiting' OR ${isDead})`))
    .returning(pick(dryRuns, "id", "attempt", "plan", "options"));
  return row ?? null;
}

/** Writes the progress, a few times a second, and stops a dry run that was cancelled or takes too long. */
function createPulse(deps: Pick<Deps, "pool">, claimed: Claimed, isStopping: () => boolean): Play["pulse"] {
  const startedMs = performance.now();
  let writtenMs = Number.NEGATIVE_INFINITY;
  return async (progress) => {
    if (isStopping()) throw new Stopped("interrupted");
    const nowMs = performance.now();
    if (nowMs - startedMs > PLAYS_MAX_MS) throw new Stopped("too_long");
    if (nowMs - writtenMs < SIGN_OF_LIFE_EVERY_MS) return;
    writtenMs = nowMs;
    const isOwn = await changeOwn(deps, claimed, { ...progress, movedAt: sql`clock_timestamp()` });
    if (!isOwn) throw new Stopped("cancelled");
  };
}

async function end(
  deps: Pick<Deps, "pool">,
  claimed: Claimed,
  outcome: { state: "done"; report: string } | { state: "failed"; failure: DryRunFailure },
): Promise<void> {
  const eventsDone =
    outcome.state === "done" ? { eventsDone: v.parse(plan, claimed.plan).events.length } : {};
  await changeOwn(deps, claimed, { ...outcome, ...eventsDone, endedAt: sql`clock_timestamp()` });
}

/** @returns false if it is no longer this attempt's: it was cancelled or deleted, or another worker has taken it. */
async function changeOwn(
  { pool }: Pick<Deps, "pool">,
  { id, attempt }: Claimed,
  changes: Parameters<ReturnType<typeof pool.db.update<typeof dryRuns>>["set"]>[0],
): Promise<boolean> {
  const changed = await pool.db
    .update(dryRuns)
    .set(changes)
    .where(and(eq(dryRuns.id, id), eq(dryRuns.attempt, attempt), eq(dryRuns.state, "playing")))
    .returning({ id: dryRuns.id });
  return changed.length > 0;
}

/** Adds the jobs of dry runs again that nobody plays: Redis was away, or the worker has died. */
export async function resumeDryRuns({ pool, queues }: Pick<Deps, "pool" | "queues">): Promise<void> {
  const before = (seconds: number) => sql`clock_timestamp() - make_interval(secs => ${seconds})`;
  const left = await pool.db
    .select({ id: dryRuns.id })
    .from(dryRuns)
    .where(
      or(
        and(eq(dryRuns.state, "waiting"), lt(dryRuns.createdAt, before(WAITED_S))),
        and(eq(dryRuns.state, "playing"), lt(dryRuns.movedAt, before(DEAD_AFTER_S))),
      ),
    )
    .orderBy(asc(dryRuns.id));
  for (const { id } of left) await queues.performDryRun({ dryRunId: id });
}

/** Postgres cuts names off at 63 bytes; the rest is for the suffix and the id. */
const PRODUCT_LENGTH_MAX = 32;
const HASH_LENGTH = 8;

/** How the names of the databases of dry runs begin, beside the product's database. */
export function databasePrefix(productUrl: string): string {
  return `${shorten(addressOf(productUrl).database)}_dry_run_`;
}

/** Another name stays another one: a long name ends with a hash of all of it. */
function shorten(product: string): string {
  if (product.length <= PRODUCT_LENGTH_MAX) return product;
  const hash = createHash("sha256").update(product).digest("hex").slice(0, HASH_LENGTH);
  return `${product.slice(0, PRODUCT_LENGTH_MAX - HASH_LENGTH)}${hash}`;
}

/** The dry run to which a database belongs; null for any other database. */
function dryRunOf(productUrl: string, database: string): number | null {
  const prefix = databasePrefix(productUrl);
  const id = database.startsWith(prefix) ? database.slice(prefix.length) : "";
  return /^\d+$/.test(id) ? Number(id) : null;
}

/** Deletes old dry runs, and the databases of those whose worker died before it could drop them. */
export async function pruneDryRuns({ env, pool }: Pick<Deps, "env" | "pool">): Promise<void> {
  await pool.db.execute(
    sql`DELETE FROM dry_runs WHERE created_at < clock_timestamp() - make_interval(days => ${DRY_RUN_KEPT_DAYS})`,
  );
  const url = env.directDatabaseUrl;
  const databases = await listDatabases(url, databasePrefix(url));
  if (databases.length === 0) return;
  // Read after the databases: a dry run that has begun in between is among them.
  const unfinished = await pool.db
    .select({ id: dryRuns.id })
    .from(dryRuns)
    .where(inArray(dryRuns.state, [...unfinishedDryRunStates]));
  for (const database of databases) {
    const id = dryRunOf(url, database);
    if (id !== null && unfinished.every((each) => each.id !== id)) await dropDatabase(url, database);
  }
}
