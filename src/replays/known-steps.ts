import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { serverStart } from "#db/server-start.ts";
import type { ReplayStep } from "./contract.ts";
import { readSteps, type StepsDeps, type StepsOf } from "./read-steps.ts";

/** The most sessions in the cache; the least recently used is evicted first. */
const CACHED_MAX = 4;
/** Longer replays are read each time. */
const CACHED_STEPS_MAX = 20_000;

/** An entry may be committed after entries of later steps, so the newest step alone would miss it. */
const ENTRIES_READ = 200;

type Known = { version: string; steps: ReplayStep[] };
const caches = new WeakMap<Queryable, Map<number, Known>>();

/**
 * The steps that all players of a stopped session see, from this process's cache: they may open the replay at the same moment. What
 * is cached is proven with each read by a version that changes with the log and with the pools.
 */
export async function* readKnownSteps(deps: StepsDeps, of: StepsOf): AsyncGenerator<ReplayStep> {
  const { sessionId } = of;
  const { db } = deps.pool;
  const cache = caches.get(db) ?? new Map<number, Known>();
  caches.set(db, cache);
  const version = await findVersion(db, sessionId);
  const known = cache.get(sessionId);
  if (known?.version === version) {
    // Inserted again, so that the first key is the least recently used.
    cache.delete(sessionId);
    cache.set(sessionId, known);
    yield* known.steps;
    return;
  }
  const steps: ReplayStep[] = [];
  for await (const step of readSteps(deps, of)) {
    if (steps.length <= CACHED_STEPS_MAX) steps.push(step);
    yield step;
  }
  if (steps.length > CACHED_STEPS_MAX) return;
  cache.set(sessionId, { version, steps });
  const [oldest] = cache.keys();
  if (cache.size > CACHED_MAX && oldest !== undefined) cache.delete(oldest);
}

const versionRow = v.object({ version: v.string() });

/** Differs after each change of what a replay is made of: its log, that of all leaderboards, and the calls. */
async function findVersion(db: Queryable, sessionId: number): Promise<string> {
  const newest = (scope: SQL) => sql`(SELECT concat(max(id), '-', sum(id)) FROM (
    SELECT id FROM session_log WHERE ${scope} ORDER BY step DESC, id DESC LIMIT ${sql.raw(String(ENTRIES_READ))}) l)`;
  const [row] = await db.execute(sql`SELECT concat_ws(' ', ${serverStart},
    ${newest(sql`session_id = ${sessionId}`)}, ${newest(sql`session_id IS NULL`)},
    (SELECT concat_ws(' ', sum(s.calls_count), sum(s.pool_cents)) FROM events e JOIN spots s ON s.event_id = e.id
      WHERE e.session_id = ${sessionId})) AS version`);
  return v.parse(versionRow, row).version;
}
