import { countOf } from "#client/base/format/count.ts";

/** The texts of the forms of the control room: new actions, changes, results and corrections. */

// Composer
export const sessionIsOver = "The session is over.";
export const newAction = "New Action";
export const askHint = "goes live at once";
export const question = "Question";
export const ask = "Ask";
export const addToEnd = "Add to the end";
export const trueLabel = "True Label";
export const falseLabel = "False Label";
export const opens = "Opens";
export const opensWithStart = "Opens with the start";
export const opensAfterPrevious = (waitSeconds: number) => `Opens ${waitSeconds} s after the one before`;
export const opensAfterResult = (waitSeconds: number) => `Opens ${waitSeconds} s after the result before`;
export const opensByHand = "Opens when I start it";
export const durationSeconds = "Duration, seconds";
export const seconds = "seconds";

// Event editor
export const edit = "Edit";
export const save = "Save";
export const description = "Description";
export const questionFrozen = "Somebody has called: the question and its labels stand.";
export const starts = "Starts";
export const offsetSeconds = "Offset, seconds";
export const waitSeconds = "Wait, seconds";
export const resultWithinSeconds = "Result within, seconds";
export const opensAt = "Opens at";
export const zoneHint = (zone: string) => `In ${zone}.`;

// Decide
export const voidResult = "Void";
export const effectiveAt = "Effective at";
export const exactMoment = (zone: string) => `Exact moment, in ${zone}`;

export const effectiveHint = "Calls placed from then on are refunded.";
export const effectiveBeforeCloseHint =
  "Calls placed from then on are refunded; counted back from the close.";
export const asBeforeHint = (clock: string) => `As before: from ${clock} on.`;

// Verdict
export const resolve = "Resolve";
export const correctResult = "Correct the result";

// Impact
export const closesFirst = "Calls are still taken. It closes first.";
export const takenBackHint = "What was paid before is taken back, and every player reads why.";
export const paidAfterDelay = (settlementDelaySeconds: number) =>
  `It is paid after ${countOf(settlementDelaySeconds, "second")}. Until then you can take it back.`;
export const winners = "Winners";
export const losers = "Losers";
export const paidOut = "Paid out";
export const largestWin = "Largest win";
export const refundedCalls = (count: number) => `${countOf(count, "call")} refunded`;
export const noCalls = "Nobody has called: no money moves.";
export const allRefunded = (total: string, callsCount: number) =>
  `Everybody is refunded: ${total}, ${countOf(callsCount, "call")}.`;
export const oneSidedRefund = (total: string) =>
  `All calls are on one side: everybody is refunded, ${total}.`;
export const poolGoesTo = (total: string, winningLabel: string, losingLabel: string) =>
  `${total} goes to the calls on ${winningLabel}; those on ${losingLabel} lose.`;

// Reason
export const reason = "Reason";
export const optionalReason = "Reason, if you like";
export const reasonHint = "Players read it.";

// Undo bar
export const undo = "Undo";
export const instead = (resultText: string) => `${resultText} instead`;
export const takeBack = "Take it back";
export const numbered = (number: number, title: string) => `${number}. ${title}`;
export const resultOf = (resultText: string) => `Result: ${resultText}`;
export const resultBy = (name: string, resultText: string) => `${name}: ${resultText}`;
export const paysIn = "{result}, pays in {left}";
export const paysAfterResume = (resultText: string, minutes: string) =>
  `${resultText}, pays ${minutes} after the show resumes`;
export const paidBefore = (number: number) =>
  `${number} was paid before it could be taken back. Correct it instead: every player reads why.`;
export const notPaidYet = "Nobody is paid yet.";
export const notPaidYetHint = "Nobody is paid yet: it can be taken back.";
export const paidResult = (resultText: string) => `Paid: ${resultText}`;
export const correctWithoutReason = "Correct it without a reason for {left}.";
export const pendingNews = (resultText: string) =>
  `Result: ${resultText}, not paid yet. U takes it back to undecided.`;
export const pendingNewsOnly = (resultText: string) => `Result: ${resultText}, not paid yet.`;
export const takenBackNews = "Taken back: it is undecided, and no money has moved.";
export const paidNews = (resultText: string) => `Paid: ${resultText}. U corrects it, after a preview.`;

// Verdict fields
export const exact = "Exact";
export const allCalls = "All calls";
export const closeTime = "Close time";
export const asBefore = "As before";

// Use acting
export const refusedFor = (number: number, why: string) => `Action ${number}: ${why}`;
export const changedMeanwhile = "It changed at that moment. Look at it, then do it again.";
export const answersAgain = "The server answers again. The page shows what was done.";
export const signedOut =
  "Nothing was done: your sign-in here has ended. An admin may have ended it, or changed your roles. Sign in again.";
export const actFailed = "That did not work. Look whether it was done, then try again.";
