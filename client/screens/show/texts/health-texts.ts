import { countOf, formatCount } from "#client/base/format/count.ts";
import { formatShare, formatShortMoney } from "#client/base/format/money.ts";
import type { timedTransitions } from "#db/lists/events.ts";
import type { HealthPart, PartState } from "#src/operate/health/contract.ts";

/** The texts of the control room's right column: what is next, what the show runs on, how calls arrive, players. */

// Side column
export const sideColumn = "Health and players";
export const openSide = "Health";
export const closeSide = "Close";
export const needsAttention = "needs attention";

// Approvals
export const chatForScreen = "Chat for the big screen";
export const waiting = (count: number) => (count === 0 ? "none waits" : `${formatCount(count)} waiting`);
export const approvalFailed = "That did not work. Try again.";
export const showOnScreen = "Show";
export const showMessageOf = (username: string) => `Show the message of ${username} on the big screen`;
export const removeMessage = "Remove";
export const removeMessageOf = (username: string) => `Remove the message of ${username}`;
export const takeName = "Take name away";
export const takeNameOf = (username: string) => `Take name away from ${username}`;
export const giveNameBack = (hadPicture: boolean) => (hadPicture ? "Undo, without the picture" : "Undo");
export const giveNameBackTo = (username: string, hadPicture: boolean) =>
  `${giveNameBack(hadPicture)}: give the name ${username} back`;
export const takeNameFailed = "Not done. Try again";

// Next transitions
export const nextTransitions = "Next";
export const nothingNext = "Nothing happens by itself. The next step is yours.";
export const nothingNextOver = "The show is over.";
export const transitionOf: Record<(typeof timedTransitions)[number], (number: number) => string> = {
  publish_event: (number) => `Show ${number}`,
  open_event: (number) => `Open ${number}`,
  close_event: (number) => `Close ${number}`,
  resolve: (number) => `Decide ${number}`,
};
export const pay = (number: number) => `Pay ${number}`;
export const refund = (number: number) => `Refund ${number}`;
export const dueIn = (left: string) => `in ${left}`;
export const late = (seconds: number) => `late ${seconds} s`;
export const afterResume = (left: string) => `${left} after the pause`;

// Parts
export const health = "Health";
export const asking = "Asking the server.";
export const connected = (sockets: number) => `${formatCount(sockets)} connected`;
export const connectedAtLeast = (sockets: number) => `${formatCount(sockets)} or more connected`;
export const partNames: Record<HealthPart, string> = {
  database: "Postgres",
  redis: "Redis",
  queues: "Queues",
  feed: "Feed",
};
export const stateNames: Record<PartState, string> = { ok: "works", slow: "slow", away: "away" };
export const milliseconds = (ms: number) => `${formatCount(ms)} ms`;
export const noAnswer = "no answer";
export const heldBy = (holder: string) => `held by ${holder}`;
export const waitingJobs = (waiting: number) => `${formatCount(waiting)} waiting`;
export const failedJobs = (waiting: number, failed: number) =>
  `${formatCount(waiting)} waiting, ${formatCount(failed)} failed`;
export const noWorker = "no worker: up to 2 s late";
export const upToDate = "up to date";
export const behind = (seconds: string) => `${seconds} s behind`;
export const nothingSent = "nothing is sent";
export const timers = "Timers";
export const lateNow = "late";
export const timersOnTime = "on time";
export const timerLate = (name: string, seconds: number) => `${name} late ${seconds} s`;
export const slowestSocket = "Slowest socket";
export const notMeasured = "not measured yet";
export const slowReaders = (slow: number) => `${countOf(slow, "slow reader")}`;
export const noNews = "No answer since {at}. The server or the connection is away.";
export const noNewsYet = "No answer yet. The server or the connection is away.";
export const redisAwayHint = "Pages do not change by themselves until Redis is back. Calls and closes go on.";

// Pace
export const callsOn = (number: number) => `Calls on ${number}`;
export const noCalls = "No calls yet.";
export const perSecond = "Calls a second";
export const peak = (calls: number) => `peak ${formatCount(calls)}`;
export const perSecondTable = "Calls a second, the last minute";
export const beforeNewest = "Seconds before the newest";
export const calls = "Calls";
export const arrivals = "Money before the close";
export const arrivalsTable = "Money by the time before the close";
export const beforeClose = "Before the close";
export const range = (from: number, to: number) => `${from} to ${to} s`;
export const callsTotal = (count: number) => countOf(count, "call");
export const judgedAtClose = "judged at the close";
export const noLateSpike = "no late spike";
export const lateSpike = "late spike";
export const notJudged = "not judged";
export const lateShare = (share: number, label: string, lateCents: number) =>
  `${formatShare(share, { digits: 0 })} of the money on ${label}, ${formatShortMoney(lateCents)}, came in the last second.`;
export const lateShareOfAll = (share: number, lateCents: number) =>
  `${formatShare(share, { digits: 0 })} of the money, ${formatShortMoney(lateCents)}, came in the last second.`;
export const tooFewCalls = (lateCents: number, totalCents: number) =>
  `Too few calls to judge: ${formatShortMoney(lateCents)} of ${formatShortMoney(totalCents)} in the last second`;
export const tooFewCallsOn = (label: string, lateCents: number, totalCents: number) =>
  `Too few calls on ${label} to judge: ${formatShortMoney(lateCents)} of ${formatShortMoney(totalCents)} in the last second`;
export const usualShare = (share: number) => `Usual in this session: ${formatShare(share, { digits: 0 })}.`;
export const nothingUsual = "There are too few earlier actions to say what is usual.";
export const beforeYouPay =
  "Somebody may have known the result. An earlier Effective at refunds the last calls; Void refunds all.";

// Players
export const players = "Players";
export const findPlayer = "Find a player";
export const findHint = "Name or email";
export const findByName = "Name of somebody in this session";
export const searching = "Searching.";
export const searchFailed = "The search got no answer. Type again to repeat it.";
export const found = (count: number) =>
  count === 0 ? "Nobody has this name." : `${countOf(count, "player")} found.`;
export const moreThan = (count: number) => `The first ${count}. Type more of the name for others.`;
export const guest = "guest";
export const remove = "Remove";
export const fromThisShow = (name: string) => `${name} from this show`;
export const removeTitle = (name: string) => `Remove ${name} from this show?`;
export const removeSure = "Remove the player";
export const removeHint =
  "The show does not exist for this player until there is a newer code. Calls and results stay.";
export const renewCodeToo = "Make a new code now: the player could come back as a new guest with this one";
export const removed = "removed: needs a new code";
export const deactivated = "deactivated";
export const walletOf = (availableCents: number, heldCents: number) =>
  heldCents === 0
    ? `${formatShortMoney(availableCents)} to spend`
    : `${formatShortMoney(availableCents)} to spend, ${formatShortMoney(heldCents)} in open calls`;
export const noCallsHere = "no calls here";
export const callsHere = (count: number) => `${countOf(count, "call")} here`;
export const placed = "open";
export const won = (payoutCents: number) => `paid ${formatShortMoney(payoutCents)}`;
export const lost = "lost";
export const refunded = "refunded";

// Move to another team
export const teamOf = (username: string) => `Team of ${username}`;
export const notMoved = "Could not move";
export const noTeam = "No team";
