import { useLayoutEffect } from "react";
import { say } from "#src/http/contract.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { formatCount } from "../base/format/count.ts";
import { isRankKnown, useView, type View } from "../events/view.ts";
import { ordinal, placeText } from "../leaderboard/rank-texts.ts";
import { setAfterResult } from "./after-result.ts";

/** Tells the card how the result on it has moved the viewer. */
export function useRankMove(): void {
  const move = rankMoveIn(useView());
  useLayoutEffect(() => setAfterResult({ move }), [move]);
  useLayoutEffect(() => () => setAfterResult({ move: "" }), []);
}

/** "5th → 2nd, passed Zed"; empty if the result on the card has not moved the viewer. */
export function rankMoveIn(view: Pick<View, "event" | "phase" | "state">): string {
  const { me, leaders, playersCount } = view.state;
  return me === null || !isRankKnown(view) ? "" : rankMove(me, leaders, playersCount);
}

type Ranked = Pick<ScoreView, "userId" | "username" | "rank" | "tied" | "rankChange">;

/**
 * How the last result moved a player, and whom of these players past. Empty if it did not.
 * @param playersCount how many there are: a page knows the first ones only, and says no number where it has passed others too.
 */
export function rankMove(me: Ranked, players: readonly Ranked[], playersCount: number): string {
  if (!me.rankChange) return "";
  const before = me.rank + me.rankChange;
  const passed = players.filter(
    ({ rank, rankChange }) => rankChange !== null && rank + rankChange < before && rank > me.rank,
  );
  const [first, ...others] = passed;
  const move = `${ordinal(before)} → ${placeText(me)}`;
  if (first === undefined) return move;
  const isCut = players.length < playersCount && before > (players.at(-1)?.rank ?? 0);
  const many = isCut ? " and others" : ` and ${formatCount(others.length)} more`;
  const more = others.length === 0 ? "" : many;
  return say`${move}, passed ${first.username}${more}`;
}
