import { countOf } from "#client/base/format/count.ts";

/** The texts of the leaderboard, of a session's leaders and of a score. */

// Excluded list
export const nobodyIsExcluded = "Nobody is excluded.";
export const excludedFromSession = (sessionName: string, excludedBy: string) =>
  `From ${sessionName}, by ${excludedBy}`;
export const excludedFromAll = (excludedBy: string) => `From every leaderboard, by ${excludedBy}`;
export const rankAgain = "Rank again";

// Leaderboard view
export const notRankedBecause = (reason: string) => `You are not ranked here: ${reason}`;
export const rankChanged = (rank: string, totalCount: number) => `Your rank is now ${rank} of ${totalCount}.`;

// Leaders screen
export const allPlayers = (totalCount: number) => `All ${countOf(totalCount, "player")}`;
export const onlyTheFirst = "Only the first";

// Leaderboard view, for Won and Lost
export const unopposed = "A right call that nobody opposed counts as neither Won nor Lost.";

// Manage leaderboard
export const seasons = "Seasons";
export const seasonsHint = "A season has a table of its own, and a podium at its end.";
export const manageSeasons = "Name, change or end a season";
export const scores = "Scores";
export const recomputeHint =
  "Counts them again from the calls and corrects what differs. Money is not touched.";
export const recompute = "Recompute";
export const excluded = "Excluded";
export const players = (count: number) => countOf(count, "player");
export const nothingDiffered = "Nothing differed.";
export const correctedPlayers = (count: number) => `Corrected ${countOf(count, "player")}.`;
export const excludeAPlayer = "Exclude a player";
export const nobodyIsRankedYet = "Nobody is ranked yet.";
export const excludeEverywhereConfirm = "Exclude from every leaderboard?";
export const excludeFromSessionConfirm = "Exclude from this session's leaders?";
export const exclude = "Exclude";
export const player = "Player";
export const reason = "Reason";
export const reasonHint = "The player reads it.";
export const excludeHint = "Calls and money stay as they are. You can rank the player again at any time.";

// Scope
export const scope = "Scope";
export const allTime = "All time";
export const thisSeason = "This season";
export const thisSession = "This session";

// Score table
export const you = (username: string) => `${username} (you)`;

// Score screen
export const backToTheLeaderboard = "Back to the leaderboard";
export const whyExcluded = (reason: string) => `You are not on the leaderboard: ${reason}`;
export const record = "Record";
export const notRanked = "Not ranked.";
export const rank = "Rank";
export const net = "Net";
export const won = "Won";
export const lost = "Lost";
export const even = "Even";
export const accuracy = "Accuracy";
export const wonPerDollar = "Won per $1";
export const streakNow = "Right in a row";
export const bestStreak = "Most right in a row";
export const excludePlayerConfirm = (username: string) => `Exclude ${username} from every leaderboard?`;

// Score table
export const playersByRank = (totalCount: number) => `${countOf(totalCount, "player")} by rank`;
export const noScoresYet = "Nobody has won or lost yet";
export const noScoresHint = "The first result puts the players who called it here.";
