import { countOf, formatCount } from "#client/base/format/count.ts";
import { formatChange, formatShortMoney } from "#client/base/format/money.ts";

/** The texts of the big screen. */

// Before the start
export const startsIn = "Starts in";
export const startsInSpoken = (left: string) => `Starts in ${left}`;
export const startsByHand = "Starts when the host starts it.";
export const startsAnyMoment = "Starts any moment now.";
export const whoIsIn = "Who is in";
export const beTheFirst = "Nobody is in yet. Be the first.";
export const howToPlay = [
  "Scan the QR code, or type the address and the code.",
  "Choose a name. You need no account.",
  "Call what happens, with play money.",
] as const;
export const areIn = (count: number) => (count === 1 ? "player is in" : "players are in");
export const justCame = "Just came in";

// What is on
export const getReady = "Get ready to call it.";
export const called = (calls: number) => countOf(calls, "call");
export const atStake = (poolCents: number) => `${formatShortMoney(poolCents)} at stake`;
export const lastSeconds = (calls: number) => `Last seconds! ${countOf(calls, "call")}.`;
export const callsClosing = "Calls are closing.";
export const waitingForResult = (calls: number) => `Calls are closed. ${countOf(calls, "call")} placed.`;
export const paysIn = (left: string) => `Pays in ${left}. Until then the host may change it.`;
export const paysAfterPause = "Pays after the pause. Until then the host may change it.";
export const paused = "Paused by the host. All calls are safe.";
export const withdrawn = "Skipped by the host. All wagers are back.";

// Result
export const result = "Result";
export const calledOff = "Called off";
export const refunded = "Everybody gets the wager back.";
export const calledRight = (right: number, players: number) =>
  right === 0
    ? `Nobody of ${formatCount(players)} called it.`
    : `${formatCount(right)} of ${formatCount(players)} called it.`;
export const nobodyCalled = "Nobody made a call.";
export const biggestWinOf = (cents: number) => `Biggest win: ${formatChange(cents)}`;

// Between the questions
export const leaders = "Leaders";
export const ofPlayers = (players: number) => `of ${countOf(players, "player")}`;
export const nobodyYet = "Nobody has won or lost yet.";
export const nextSoon = "The next question appears here.";

export const teams = "Teams";
export const playersIn = (count: number) => countOf(count, "player");

// At the end
export const over = "That was it. Thank you for calling.";
export const finalLeaders = "The first three";
export const andOthers = (count: number) => `and ${formatCount(count)} more`;
export const andMore = (count: number) => `and at least ${formatCount(count)} more`;
export const record = (wins: number, losses: number) => `${wins} won, ${losses} lost`;
export const players = "Players";
export const questions = "Questions";
export const calls = "Calls";
export const wagered = "At stake";
export const biggestWin = "Biggest win";
export const longestStreak = "Longest streak";
export const inARow = (count: number) => `${formatCount(count)} in a row`;

// Beside it
export const join = "Scan to play";
export const joinCode = (name: string) => `QR code: join ${name}`;
export const keep = "Scan for your results";
export const resultsCode = (name: string) => `QR code: your results of ${name}`;
export const chat = "Chat";

// Connection
export const reconnecting = "Reconnecting. Asking again every second.";
export const lastKnown = (clock: string) => `No connection. This is how it was at ${clock}.`;
