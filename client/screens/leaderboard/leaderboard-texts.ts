import { say } from "#src/http/contract.ts";
/** The texts of the leaderboard, of a session's leaders and of a score. */

export const notRankedBecause = (reason: string) => say`You are not ranked here: ${reason}`;

export const reason = "Reason";

export const whyExcluded = (reason: string) => say`You are not on the leaderboard: ${reason}`;
