import { say } from "#src/http/contract.ts";
import { formatMoney } from "../base/format/money.ts";

/** The texts of the Action page. */

// Card body
export const byTheHost = (done: string) => `${done} by the host.`;
/** @param cents what came back to the player; 0: nothing was wagered. */
export const withdrawnHint = (cents: number) =>
  cents === 0 ? `${doesNotCount}.` : `${formatMoney(cents)} is back.`;
export const doesNotCount = "Does not count";
export const pendingResultHint = "Until then the host may change it.";
export const pendingResultAndHint = (result: string) => `${result}. ${pendingResultHint}`;
export const right = "You were right.";
export const otherSideEmpty = "Nobody took the other side";
export const rightUnopposed = `${right} ${otherSideEmpty}.`;

// Card meta
export const offline = "Offline";
export const corrected = (resultLabel: string) => say`Corrected: ${resultLabel}`;
export const closed = "Closed";

// Event card
export const noPoolYet = "No pool yet";

// Result
export const noCallMade = "You made no call on this one.";
export const outcomeLost = "It went the other way";

// Sides
export const couldPay = (money: string) => `could pay ${money}`;
export const nothingLeft = "Nothing left to wager";

// Slip
export const myCalls = "My calls";

// Wager row
export const wager = "Wager";

// Use placing
export const youCalled = (label: string, wagerCents: number) =>
  say`You called ${label}, ${formatMoney(wagerCents)}.`;
