import { useViewer } from "../base/page/context.ts";

/** How many players are here. A player who has just come is not counted yet; hosts and signed-out viewers do not play. */
export function usePlayersHere(playersOnline: number): number {
  const viewer = useViewer();
  const plays = viewer !== null && !viewer.roles.includes("admin");
  return Math.max(playersOnline, plays ? 1 : 0);
}
