import { dollarsOf } from "#src/http/money.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import type { ScoreView } from "./schemas.ts";

/** One player's row of the leaderboard. */
export type ScoreRow = {
  userId: number;
  username: string;
  /** The user's `avatar` column, not presented yet. */
  avatar: unknown;
  /** Events with a result. */
  played: number;
  wins: number;
  losses: number;
  netCents: number;
  wageredCents: number;
  currentStreak: number;
  bestStreak: number;
  rank: number;
  /** How many players have this rank. */
  sharedBy: number;
  /** Before the leaderboard's last event; null if the player had no score then. */
  previousRank: number | null;
};

/** A score as all players read it. */
export function presentScore(row: ScoreRow, sessionId: number | null): ScoreView {
  const decided = row.wins + row.losses;
  return {
    id: row.userId,
    userId: row.userId,
    username: row.username,
    avatar: presentAvatar(row.avatar),
    sessionId,
    wins: row.wins,
    losses: row.losses,
    pushes: row.played - decided,
    net: dollarsOf(row.netCents),
    netCents: row.netCents,
    roi: row.wageredCents === 0 ? null : row.netCents / row.wageredCents,
    accuracy: decided === 0 ? null : row.wins / decided,
    currentStreak: row.currentStreak,
    bestStreak: row.bestStreak,
    rank: row.rank,
    tied: row.sharedBy > 1,
    rankChange: row.previousRank === null ? null : row.previousRank - row.rank,
  };
}
