import { sql } from "drizzle-orm";
import * as v from "valibot";
import { wholeNumber } from "#db/ledger/query.ts";

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
/** The sums of a player, and the player's net on the last event of the ranking. */
export type ScoreSums = v.InferOutput<typeof sumsRow>;

/** In SQL: the columns of a score `s` and of the player's result `r` of the last event that make ScoreSums, as numbers. */
export const sumsColumns = sql`s.played, s.wins, s.losses, s.net_cents::float8 AS "netCents",
  s.wagered_cents::float8 AS "wageredCents", s.current_streak AS "currentStreak", s.best_streak AS "bestStreak",
  r.net_cents::float8 AS "lastNetCents"`;
