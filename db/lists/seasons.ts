/** What a season is now: it has not begun, it runs, or it is over. */
export const seasonStates = ["planned", "running", "ended"] as const;
export type SeasonState = (typeof seasonStates)[number];
export const SEASON_NAME_LENGTH_MAX = 60;
/** How many seasons there may be: all are listed at once. */
export const SEASONS_MAX = 100;
/** Names the season that runs now, where a season is named by its slug or its id. */
export const CURRENT_SEASON = "current";
