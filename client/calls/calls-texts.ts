import { countOf, formatCount } from "../base/format/count.ts";
import { formatMoney } from "../base/format/money.ts";

/** The texts of the history, the receipts and the settlement of an event. */

// History screen
export const all = "All";
export const open = "Open";
export const won = "Won";
export const lost = "Lost";
export const refunded = "Refunded";
export const yourCalls = "Your calls";
export const filter = "Filter";
export const today = (day: string) => `Today, ${day}`;
export const callsInAll = (totalCount: number) => `${countOf(totalCount, "call")} in all`;
export const calls = (count: number) => countOf(count, "call");
export const noCallsYet = "You have not called anything here yet";
export const noCallsInFilter = "None of these";
export const noCallsHint = "Say what you think while a question is open, and it is on the record here.";
export const goToTheGame = "Go to the game";

// Receipt
export const receipt = "Receipt";
export const receiptCaption = (id: number, day: string) => `call ${id}, ${day}`;
export const replay = "Replay";
export const operations = "Operations";
export const howThisWasSettled = "How this was settled";
export const allCalls = "All calls";
export const youCalled = "You called";
export const receiptResult = "Result: {result}";
export const placedServerTime = "Placed (server time)";
export const cutOff = "Cut-off";
export const inTimeBy = "In time by";
export const countedWhenPlacedBefore = "Counted when placed before";
export const couldPay = "Could pay";
export const wagerBack = "the wager back, while nobody takes the other side";
export const poolNow = "Pool now";
export const poolAtClose = "Pool at close";

// Receipt entries
export const granted = "On the house";
export const paidIn = "Paid in";
export const held = "Wager";
export const released = "Wager back";
export const paidOut = "Paid out";
export const corrected = "Corrected";
export const adjusted = "Adjusted";
export const wallet = "Wallet";
export const moved = "Moved";
export const availableBalance = "Available, balance";
export const balanceAfter = (balanceAfterCents: number) => `of ${formatMoney(balanceAfterCents)}`;
export const net = "Net";

// Formula
export const allRefundedVoid = "The question was called off, so everybody was refunded.";
export const allRefundedTooLate =
  "Every call came after the moment that decided it, so everybody was refunded.";
export const allRefundedNoWinner = "Nobody had called the result, so everybody was refunded.";
export const allRefundedNoLoser =
  "Nobody had taken the other side: there was nothing to win, and everybody has the wager back.";
export const nothingToPay = "Nobody had called this one, so there was nothing to pay.";
export const firstDecision = "Result {result}";
export const correctedTo = "Corrected to {result}";
export const decisions = "Decisions";
export const paidInsteadOf = (payoutCents: number, beforeCents: number) =>
  `Paid ${formatMoney(payoutCents)} instead of ${formatMoney(beforeCents)}.`;
export const payoutFormula = (poolCents: number, wagerCents: number, winningPoolCents: number) =>
  `${formatMoney(poolCents)} x ${formatMoney(wagerCents)} / ${formatMoney(winningPoolCents)}`;
export const payoutResult = (floorCents: number) => `= ${formatMoney(floorCents)}`;
export const payoutWithExtraCent = (floorCents: number) =>
  `= ${formatMoney(floorCents)}, plus 1 cent by remainder`;
export const lostReason = (poolCents: number) =>
  `The pool of ${formatMoney(poolCents)} went to those who had called {label}.`;
export const refundedTooLate = "The call came after the moment that decided it, and was refunded.";

// Payout table
export const noPayouts = "Nobody had called this one.";
export const called = "Called";
export const wager = "Wager";
export const paid = "Paid";
export const callsColumn = "Calls";
export const moreAmounts = (othersCount: number) =>
  `and ${formatCount(othersCount)} more amounts that are not listed`;
export const refundedMark = "refunded";

// Recompute
export const checkIt = "Check it";
export const recomputeHint =
  "Computes every payout again from the calls, by a separate formula, and compares it with what was paid.";
export const recompute = "Recompute";
export const payoutsDiffer = (count: number) =>
  count === 1
    ? "1 payout is not what the formula says."
    : `${countOf(count, "payout")} are not what the formula says.`;
export const recomputeSummary = (callsCount: number, paidCents: number) =>
  `${countOf(callsCount, "call")}, ${formatMoney(paidCents)} paid, checked {at}`;
export const callDiffers = (callId: number, paidCents: number, expectedCents: number) =>
  `Call ${callId}: paid ${formatMoney(paidCents)}, should be ${formatMoney(expectedCents)}`;
export const ownCallDiffers = (callId: number, paidCents: number, expectedCents: number) =>
  `Call ${callId} (yours): paid ${formatMoney(paidCents)}, should be ${formatMoney(expectedCents)}`;
export const payoutsMatch = "Every payout is as the formula says.";

// Result word
export const voidWord = "Called off";

// Settlement screen
export const noResultYet = "There is no result yet. Once there is one, you find everything about it here.";
export const payouts = "Payouts";
export const opened = "Opened";
export const closed = "Closed";
export const countedUntil = "Counted until";
export const callers = "Callers";
export const playersAndCalls = (callersCount: number, callsCount: number) =>
  `${countOf(callersCount, "player")}, ${countOf(callsCount, "call")}`;
export const theFormula = "The formula";
export const settlementFormula = (poolCents: number, winningPoolCents: number) =>
  `payout = ${formatMoney(poolCents)} x wager / ${formatMoney(winningPoolCents)}`;
export const formulaHint =
  "The whole pool, times the wager, divided by all wagers on the side that won, in whole cents. The cents left over went one each to the largest remainders.";
export const wageredTooLate = (refundedCents: number) =>
  `${formatMoney(refundedCents)} was wagered after the moment that decided it, and was refunded.`;
