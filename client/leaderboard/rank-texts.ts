import type { ScoreView } from "#src/play/leaderboard/schemas.ts";

type Rank = Pick<ScoreView, "rank" | "tied" | "rankChange">;

/** "2", or "=2" for a shared rank. */
export function formatRank({ rank, tied }: Pick<Rank, "rank" | "tied">): string {
  return tied ? `=${rank}` : String(rank);
}

/** How the last result moved a player: "up 2", "down 1", "same"; "new" without an earlier rank. */
export function rankChangeText(ranks: number | null): string {
  if (ranks === null) return "new";
  if (ranks === 0) return "same";
  return ranks > 0 ? `up ${ranks}` : `down ${-ranks}`;
}

/** What the last result did to the viewer's rank, in a sentence with a space before it; empty if there is nothing to say. */
export function rankNews(me: Rank | null): string {
  if (me === null || me.rankChange === 0) return "";
  const rank = formatRank(me);
  if (me.rankChange === null) return ` You are ${rank}.`;
  return me.rankChange > 0 ? ` You moved up to ${rank}.` : ` You are ${rank} now.`;
}
