import { countOf } from "#client/base/format/count.ts";
import type { PodiumPlace, SeasonView } from "#src/play/seasons/schemas.ts";
import { formatRank } from "../../leaderboard/rank-texts.ts";

/** The texts of a season's page. */

export const season = "Season";
export const share = "Share";
export const podium = "Podium";
export const podiumComes = "When it has ended, its podium is here for everybody.";
export const noPodium = "Nobody is on the podium that everybody sees.";
export const signInForTable = "Sign in to see the table of all players.";
export const createAccountForTable = "Create an account to see the table of all players.";
export const otherSeasons = "Seasons";
export const noSeason = "No season is running";
export const noSeasonHint = "When one begins, its table is here, and its podium at the end.";
export const record = (wins: number, losses: number) => `${wins} won, ${losses} lost`;
export const span = (from: string, to: string) => `${from} to ${to}`;
export const spanAndPlayers = (days: string, count: number) => `${days}, ${players(count)}`;
export const players = (count: number) => countOf(count, "player");
export const stateLabels = { planned: "Planned", running: "Running", ended: "Ended" } as const;

/** What is left of a season. */
export function whatIsLeft({ state, daysLeft }: Pick<SeasonView, "state"> & { daysLeft: number }): string {
  if (state === "planned") return "It has not begun yet.";
  if (state === "ended") return "It is over.";
  return daysLeft <= 1 ? "The last day" : `${countOf(daysLeft, "day")} left`;
}

/** "1 ana, 2 ben, 3 cleo. 12 players were in it." for the preview of its link. */
export function describe(
  state: SeasonView["state"],
  first: readonly PodiumPlace[],
  playersCount: number,
): string {
  if (state !== "ended") return `${players(playersCount)} so far. Its podium is here when it has ended.`;
  const names = first.map((place) => `${formatRank(place)} ${place.username}`).join(", ");
  return `${names === "" ? "" : `${names}. `}${players(playersCount)} played.`;
}
