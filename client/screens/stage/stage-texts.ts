import { countOf } from "#client/base/format/count.ts";
import { formatShortMoney } from "#client/base/format/money.ts";

/** The texts of the big screen. */

// What is on
export const startsSoon = "Scan the code to be there when it starts.";
export const getReady = "Get ready to call it.";
export const calledAndPool = (calls: number, poolCents: number) =>
  `${countOf(calls, "call")} · ${formatShortMoney(poolCents)} at stake`;
export const lastSeconds = "Last seconds!";
export const callsClosing = "Calls are closing.";
export const waitingForResult = (calls: number) => `Calls are closed. ${countOf(calls, "call")} placed.`;
export const paysIn = (left: string) => `Pays in ${left}. Until then the host may change it.`;
export const paysAfterPause = "Pays after the pause. Until then the host may change it.";
export const paused = "Paused by the host. All calls are safe.";
export const withdrawn = "Skipped by the host. All wagers are back.";
export const nextSoon = "The next question appears here.";

// Result
export const result = "Result";
export const calledOff = "Called off";
export const refunded = "Everybody gets the wager back.";

// Beside it
export const join = "Scan to play";
export const joinCode = (name: string) => `QR code: join ${name}`;
export const leaders = "Leaders";
export const finalLeaders = "The first three";
export const nobodyYet = "Nobody has won or lost yet.";
export const record = (wins: number, losses: number) => `${wins} won, ${losses} lost`;
export const chat = "Chat";

// Connection
export const reconnecting = "Reconnecting. Asking again every second.";
export const lastKnown = (clock: string) => `No connection. This is how it was at ${clock}.`;
