import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { whole } from "#src/wallet/whole.ts";
import { findLatestChange } from "./find-latest-change.ts";
import { inScope, notExcluded } from "./in-scope.ts";
import { Ladder, type Standing } from "./ladder.ts";

/** So many tables are kept; the one that was asked for longest ago goes first. */
const KEPT_MAX = 50;
/** A table with more players may lag behind, so that at most a tenth of the time goes into reading it. */
const LARGE_FROM = 5_000;
const LAG_FACTOR = 10;

/** All places of one table: a session's, or that of all sessions. */
export type Standings = {
  /** Everybody who is ranked. */
  ladder: Ladder;
  /** The event that was resolved last; null where none was. */
  lastEventId: number | null;
  /** Who played it, as they stand now, and as they stood before it; who had no score then is not in the second. */
  afterLast: Ladder;
  beforeLast: Ladder;
};

type Kept = {
  version: string;
  startedMs: number;
  /** How long it may be given out although it is no longer the newest. */
  lagMs: number;
  standings: Promise<Standings>;
};
const keptBy = new WeakMap<Queryable, Map<number | null, Kept>>();

/**
 * The places of a table as they are now. Whoever asks looks up the newest change only; the table itself is read once for
 * each change and kept by this process. One of over 5,000 players may lag behind by ten times as long as it takes to read.
 * @param sessionId null: all sessions together.
 */
export async function readStandings(db: Queryable, sessionId: number | null): Promise<Standings> {
  const tables = keptBy.get(db) ?? new Map<number | null, Kept>();
  keptBy.set(db, tables);
  const version = await findLatestChange(db, sessionId);
  const known = tables.get(sessionId);
  const kept = known !== undefined && mayStay(known, version) ? known : startReading(db, sessionId, version);
  tables.delete(sessionId);
  tables.set(sessionId, kept);
  const [oldest] = tables.keys();
  if (tables.size > KEPT_MAX && oldest !== undefined) tables.delete(oldest);
  try {
    return await kept.standings;
  } catch (error) {
    if (tables.get(sessionId) === kept) tables.delete(sessionId);
    throw error;
  }
}

/** The place of a standing (the highest is 1), and how many share it. */
export function rankIn({ ladder }: Standings, standing: Standing): { rank: number; sharing: number } {
  return { rank: ladder.countAbove(standing) + 1, sharing: ladder.countAt(standing) };
}

/** The place that a standing had before the last event: the others as they are, and its players as they were. */
export function rankBefore({ ladder, afterLast, beforeLast }: Standings, standing: Standing): number {
  const unmoved = ladder.countAbove(standing) - afterLast.countAbove(standing);
  return unmoved + beforeLast.countAbove(standing) + 1;
}

function mayStay({ version, startedMs, lagMs }: Kept, newest: string): boolean {
  return version === newest || performance.now() - startedMs < lagMs;
}

function startReading(db: Queryable, sessionId: number | null, version: string): Kept {
  const startedMs = performance.now();
  const kept: Kept = { version, startedMs, lagMs: 0, standings: selectStandings(db, sessionId) };
  kept.standings.then(
    ({ ladder }) => {
      if (ladder.size > LARGE_FROM) kept.lagMs = (performance.now() - startedMs) * LAG_FACTOR;
    },
    () => undefined,
  );
  return kept;
}

const packed = v.nullable(v.instance(Uint8Array));
const standingsRow = v.object({
  everybody: packed,
  lastEventId: v.nullable(whole),
  afterLast: packed,
  beforeLast: packed,
});

/** Packed by the database in the order of the index: a million objects would stop this process for seconds. */
async function selectStandings(db: Queryable, sessionId: number | null): Promise<Standings> {
  const [row] = await db.execute(sql`
    WITH last AS (
      SELECT event_id FROM results r WHERE ${sessionId === null ? sql`TRUE` : sql`r.session_id = ${sessionId}`}
      ORDER BY resolved_at DESC, event_id DESC LIMIT 1
    ),
    ranked AS NOT MATERIALIZED (
      SELECT s.* FROM scores s WHERE ${inScope(sessionId)} AND ${notExcluded(sessionId)}
    ),
    moved AS MATERIALIZED (
      SELECT s.user_id, s.wins, s.losses, s.net_cents, s.played > 1 AS stood,
        s.wins - (r.net_cents > 0)::int AS wins_before, s.losses - (r.net_cents < 0)::int AS losses_before,
        s.net_cents - r.net_cents AS net_before
      FROM results r JOIN ranked s ON s.user_id = r.user_id WHERE r.event_id = (SELECT event_id FROM last)
    )
    SELECT
      (SELECT string_agg(int4send(wins) || int4send(losses) || int8send(net_cents) || int8send(user_id), ''::bytea
        ORDER BY session_id, wins DESC, losses, net_cents DESC, user_id) FROM ranked) AS everybody,
      (SELECT event_id FROM last) AS "lastEventId",
      (SELECT string_agg(int4send(wins) || int4send(losses) || int8send(net_cents) || int8send(user_id), ''::bytea
        ORDER BY wins DESC, losses, net_cents DESC) FROM moved) AS "afterLast",
      (SELECT string_agg(int4send(wins_before) || int4send(losses_before) || int8send(net_before) || int8send(user_id),
        ''::bytea ORDER BY wins_before DESC, losses_before, net_before DESC) FROM moved WHERE stood) AS "beforeLast"`);
  const read = v.parse(standingsRow, row);
  return {
    ladder: ladderOf(read.everybody),
    lastEventId: read.lastEventId,
    afterLast: ladderOf(read.afterLast),
    beforeLast: ladderOf(read.beforeLast),
  };
}

function ladderOf(rows: Uint8Array | null): Ladder {
  return new Ladder(rows ?? new Uint8Array());
}
