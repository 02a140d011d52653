import { and, eq, sql, type SQL } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { anyOf, queryValue } from "#db/ledger/query.ts";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { serverStart } from "#db/server-start.ts";
import { boundedMaps } from "#src/base/bounded-map.ts";
import { notFound } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { readSteps, type StepsDeps, type StepsOf } from "./read-steps.ts";
import type { ReplayQuery, ReplayStep, ReplayView } from "./schemas.ts";

/** The most sessions in the cache; the least recently used is evicted first. */
const CACHED_MAX = 4;

/** Longer replays are read each time. */
const CACHED_STEPS_MAX = 20_000;

/** An entry may be committed after entries of later steps, so the newest step alone would miss it. */
const ENTRIES_READ = 200;

const caches = boundedMaps<number, { version: string; steps: ReplayStep[] }>(CACHED_MAX);

/** How many changes an answer has: about 1 MB. Longer replays are read in parts. */
const PART_CHANGES = 3_000;

/**
 * A part of the replay of a session: its steps after a moment, and where the next part begins. All steps of one moment are in one
 * part.
 * @param stoppedOnly a late read is refused for a session that goes on: a client that reads on from `until` would miss what is not there yet.
 * @throws Refusal 404 for viewers who may not see it.
 */
export async function showReplay(
  deps: StepsDeps,
  { slugOrId, viewer, query }: { slugOrId: string; viewer: Viewer; query: ReplayQuery },
  { partChanges = PART_CHANGES, stoppedOnly = false }: { partChanges?: number; stoppedOnly?: boolean } = {},
): Promise<ReplayView> {
  const { db } = deps.pool;
  const { session, full } = await requireReplay(db, viewer, slugOrId);
  if (stoppedOnly && session.state !== "stopped") throw notFound();
  const { id: sessionId, slug, name } = session;
  const { after, until = endOf(session).toISOString(), head } = query;
  const read = full ? readSteps : readKnownSteps;
  const part =
    head === undefined
      ? await collectPart(read(deps, { sessionId, full }), { after, until, partChanges })
      : { steps: [], next: null };
  return {
    sessionId,
    slug,
    name,
    full,
    ...part,
    players: await findNames(db, part.steps),
    until,
    derivedUntil: null,
  };
}

/**
 * Authorizes reading a replay: who runs the session in full; players the reduced form of a session that has ended and in which they took part.
 * @throws Refusal 404 for all others, so that nobody finds out which sessions exist.
 */
export async function requireReplay(
  db: Queryable,
  viewer: Viewer,
  slugOrId: string,
): Promise<{ session: SessionRow; full: boolean }> {
  const session = await requireSession(db, slugOrId);
  if (can(viewer, "run", session)) return { session, full: true };
  // Whom a host has removed from it is registered no more.
  const own = and(eq(registrations.sessionId, session.id), eq(registrations.userId, viewer.id));
  if (session.state !== "stopped" || (await db.$count(registrations, own)) === 0) throw notFound();
  return { session, full: false };
}

/**
 * Where a replay ends: now. Pools change on whole seconds, and those of a stopped session change no more, so its replay has those of
 * the second that has begun too.
 */
function endOf({ state }: SessionRow): Date {
  const now = serverNow();
  return state === "stopped" ? new Date(Math.ceil(now.getTime() / 1_000) * 1_000) : now;
}

async function collectPart(
  all: AsyncGenerator<ReplayStep>,
  { after, until, partChanges }: { after: string | undefined; until: string; partChanges: number },
): Promise<Pick<ReplayView, "steps" | "next">> {
  const steps: ReplayStep[] = [];
  let changes = 0;
  for await (const step of all) {
    if (isAfter(step.at, until)) break;
    if (after !== undefined && !isAfter(step.at, after)) continue;
    const last = steps.at(-1)?.at;
    if (last !== undefined && changes >= partChanges && step.at !== last) return { steps, next: last };
    steps.push(step);
    changes += 1 + step.events.length + step.pools.length + (step.leaders?.leaders.length ?? 0);
  }
  return { steps, next: null };
}

/** Moments are compared as times: a client may write them with another offset. */
function isAfter(at: string, other: string): boolean {
  return Date.parse(at) > Date.parse(other);
}

/** The names of all players in these steps, as they are called now: the log has none, so that deleted accounts have none. */
export async function findNames(
  db: Queryable,
  steps: readonly ReplayStep[],
): Promise<{ id: number; username: string }[]> {
  const ids = new Set(steps.flatMap(({ leaders }) => leaders?.leaders.map(({ userId }) => userId) ?? []));
  if (ids.size === 0) return [];
  return db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(anyOf(users.id, [...ids]));
}

/**
 * The steps that all players of a stopped session see, from this process's cache: they may open the replay at the same moment. What
 * is cached is proven with each read by a version that changes with the log and with the pools.
 */
async function* readKnownSteps(deps: StepsDeps, of: StepsOf): AsyncGenerator<ReplayStep> {
  const { sessionId } = of;
  const { db } = deps.pool;
  const cache = caches(db);
  const version = await findVersion(db, sessionId);
  const known = cache.get(sessionId);
  if (known?.version === version) {
    // Set again, so that the least recently used makes way.
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
}

/** Differs after each change of what a replay is made of: its log, that of all leaderboards, and the calls. */
function findVersion(db: Queryable, sessionId: number): Promise<string> {
  const newest = (scope: SQL) => sql`(SELECT concat(max(id), '-', sum(id)) FROM (
    SELECT id FROM session_log WHERE ${scope} ORDER BY step DESC, id DESC LIMIT ${sql.raw(String(ENTRIES_READ))}) l)`;
  return queryValue(db, v.string())`SELECT concat_ws(' ', ${serverStart},
    ${newest(sql`session_id = ${sessionId}`)}, ${newest(sql`session_id IS NULL`)},
    (SELECT concat_ws(' ', sum(s.calls_count), sum(s.pool_cents)) FROM events e JOIN spots s ON s.event_id = e.id
      WHERE e.session_id = ${sessionId}))`;
}
