import { formatCount } from "#client/base/format/count.ts";

/** The texts of the control room's right column: what is next, what the show runs on, how calls arrive, players. */

// Approvals
export const waiting = (count: number) => (count === 0 ? "none waits" : `${formatCount(count)} waiting`);
export const giveNameBack = (hadPicture: boolean) => (hadPicture ? "Undo, without the picture" : "Undo");
export const giveNameBackTo = (username: string, hadPicture: boolean) =>
  `${giveNameBack(hadPicture)}: give the name ${username} back`;

// Parts
export const waitingJobs = (waiting: number) => `${formatCount(waiting)} waiting`;
export const failedJobs = (waiting: number, failed: number) =>
  `${formatCount(waiting)} waiting, ${formatCount(failed)} failed`;

// Pace
export const peak = (calls: number) => `peak ${formatCount(calls)}`;
export const calls = "Calls";
