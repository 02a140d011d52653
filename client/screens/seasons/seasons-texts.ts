import type { SeasonState } from "#db/lists/seasons.ts";
import { labelsOf } from "#src/base/contract.ts";

/** The texts of the page where admins name seasons. */

export const list = "All seasons";
export const about =
  "What is decided from the start until the end counts for a season, also where it was named later. Seasons do not overlap.";
export const toTable = "To the table of this season";
export const none = "No season yet";
export const noneAbout = "Name one, and the leaderboard has a table for it. It ends with a podium to share.";
export const add = "Name a season";
export const name = "Name";
export const startsAt = "From";
export const endsAt = "Until";
export const zoneHint = (zone: string) => `In your time zone: ${zone}.`;
export const stateLabel = labelsOf<SeasonState>({ planned: "Planned", running: "Running", ended: "Ended" });
export const span = (from: string, until: string) => `${from} until ${until}`;
export const change = "Change";
export const changeTitle = (season: string) => `Change ${season}`;
export const changeAbout = "With other dates, other results count. Its address stays.";
export const save = "Save";
export const end = "End now";
export const endTitle = (season: string) => `End ${season} now?`;
export const endAbout =
  "What is decided from now on does not count for it. Its page shows the podium to everybody who has the link.";
export const remove = "Delete";
export const removeTitle = (season: string) => `Delete ${season}?`;
export const removeAbout = "Its table and its podium are gone. Results and wallets stay as they are.";
export const done = {
  added: "The season is named.",
  changed: "The season is changed.",
  ended: "The season has ended. Its podium is on its page.",
  removed: "The season is deleted.",
} as const;
