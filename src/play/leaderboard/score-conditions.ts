import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { wholeNumber } from "#db/ledger/query.ts";
import type { Season } from "./season-scores.ts";

// Decision: guests without a rank are hidden, not left out: their scores, records and wallets count as always, like those of
// excluded players. So an account shows at once what its guest has won.

/** What a leaderboard is of: one session, or (null) all; with a season what was decided in it, in all sessions. */
export type Scope = { sessionId: number | null; season?: Season | undefined };
/** A leaderboard. `rankGuests`: guests are on it; the setting RANK_GUESTS. */
export type Board = Scope & { rankGuests: boolean };

/** Condition: scores `s` of one session, or (null) of all sessions together. */
export function inScope(sessionId: number | null): SQL {
  return sessionId === null ? sql`s.session_id IS NULL` : sql`s.session_id = ${sessionId}`;
}

/**
 * Condition: scores `s` of players who are on this leaderboard: not excluded, and with an account where guests are not ranked.
 * The few excluded ids are selected once as an array, so that the order of scores can still be read from its index alone.
 */
export function isRanked({ sessionId, rankGuests }: Board): SQL {
  const notExcluded = sql`s.user_id <> ALL (ARRAY(SELECT x.user_id FROM exclusions x WHERE ${appliesTo(sessionId)}))`;
  if (rankGuests) return notExcluded;
  return sql`${notExcluded} AND NOT (SELECT g.guest FROM users g WHERE g.id = s.user_id)`;
}

/** The order of scores `s`: more wins rank higher, then fewer losses, then a higher net. Players who are equal in it share a rank. */
export const byRank: SQL = sql`s.wins DESC, s.losses, s.net_cents DESC`;

/** Condition: exclusions `x` that apply to a leaderboard. A session's are its own and those from every leaderboard. */
export function appliesTo(sessionId: number | null): SQL {
  return sessionId === null
    ? sql`x.session_id IS NULL`
    : sql`(x.session_id IS NULL OR x.session_id = ${sessionId})`;
}

/** The fields of ScoreSums, for the schemas of rows. */
export const sums = {
  played: wholeNumber,
  wins: wholeNumber,
  losses: wholeNumber,
  netCents: wholeNumber,
  wageredCents: wholeNumber,
  currentStreak: wholeNumber,
  bestStreak: wholeNumber,
  /** The player's net on the leaderboard's last event; null if the player did not play it. */
  lastNetCents: v.nullable(wholeNumber),
};
export const sumsRow = v.object(sums);
export type ScoreSums = v.InferOutput<typeof sumsRow>;

/** In SQL: the columns of a score `s` and of the player's result `r` of the last event that make ScoreSums, as numbers. */
export const sumsColumns = sql`s.played, s.wins, s.losses, s.net_cents::float8 AS "netCents",
  s.wagered_cents::float8 AS "wageredCents", s.current_streak AS "currentStreak", s.best_streak AS "bestStreak",
  r.net_cents::float8 AS "lastNetCents"`;
