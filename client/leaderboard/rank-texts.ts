import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { formatCount } from "../base/format/count.ts";

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

/** How ranks are made, wherever they stand. */
export const rankedBy = "Ranked by questions won.";

/** "2nd", or "joint 2nd" for a shared rank. */
export function placeText({ rank, tied }: Pick<Rank, "rank" | "tied">): string {
  return tied ? `joint ${ordinal(rank)}` : ordinal(rank);
}

/** "1st of 3" */
export function placeOf(score: Pick<Rank, "rank" | "tied">, playersCount: number): string {
  return `${placeText(score)} of ${formatCount(playersCount)}`;
}

/** What the last result did to the viewer's rank, in a sentence with a space before it; empty if there is nothing to say. */
export function rankNews(me: Rank | null, playersCount: number): string {
  if (me === null || me.rankChange === 0) return "";
  const place = placeOf(me, playersCount);
  if (me.rankChange === null) return ` You are ${place}.`;
  return me.rankChange > 0 ? ` You moved up to ${place}.` : ` You are ${place} now.`;
}

/** "1st", "22nd", "113th" */
export function ordinal(rank: number): string {
  const isTeen = Math.floor(rank / 10) % 10 === 1;
  const ending = isTeen ? undefined : ["", "st", "nd", "rd"][rank % 10];
  return `${rank}${ending || "th"}`;
}
