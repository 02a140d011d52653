import { countOf, formatCount } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";

/** The texts of the books. */

// Books screen
export const checkOverdue = "The schedule has not checked the books for long. Look whether the worker runs.";
export const checkNow = "Check now";
export const inBalance = (count: number) => `In balance: ${countOf(count, "check")}, no difference.`;
export const differencesFound = (differencesCount: number, count: number) =>
  `${differencesCount} of ${countOf(count, "check")} found a difference.`;
export const checkedBySchedule = (durationMs: number) => `Checked {at} by the schedule, in ${durationMs} ms.`;
export const checkedBy = (durationMs: number) => `Checked {at} by {name}, in ${durationMs} ms.`;
export const decidedAt = "{title} was decided {at}.";
export const notCheckedYet = "Not checked yet";
export const notCheckedHint = "The schedule checks the books once a minute. “Check now” does it at once.";
export const payingCalls = (paidCallsCount: number, callsCount: number) =>
  `Paying ${formatCount(paidCallsCount)} of ${formatCount(callsCount)} calls.`;

// Accounts panel
export const playersWallets = "Players' wallets";
export const owedByPlayers = "Owed by players";
export const house = "House";
export const playMoney = "Play money";
export const payments = "Payments";
export const onItsWay = "On its way";
export const walletsHint = (accountsCount: number) =>
  `what they hold, in ${formatCount(accountsCount)} wallets`;
export const hintWithHeld = (hint: string, heldCents: number) =>
  `${hint}, ${formatMoney(heldCents)} of it in calls`;
export const owedHint = "taken back after it was spent";
export const houseHint = "corrections by hand";
export const playMoneyHint = "given to players";
export const paymentsHint = "paid in by players";
export const onItsWayHint = "between the parts of settlements that are being paid";
export const accounts = "Accounts";
export const whose = "Whose";
export const balance = "Balance";
export const together = "Together";

// Checks panel
export const checks = "Checks";
export const checksCount = (count: number) => countOf(count, "check");
export const none = "None";

// Differences panel
export const differences = "Differences";
export const noRowsHint = "It only adds up: no row can be named.";

const repairScores = "“bun run reconcile --repair-scores” counts them again from the calls.";
/** What repairs the differences that a check found, by its name. */
export const repairs: Record<string, string> = {
  "results that the calls do not say": repairScores,
  "scores that the calls do not say": repairScores,
};

// Waiting panel
export const unknownPayment = "No payment of ours";
export const refundBeforeDeposit = "Refund before its deposit";
export const wrongAmount = "The amount does not match";
export const paymentsToLookAt = "Payments to look at";
export const paymentsCount = (count: number) => countOf(count, "payment");
export const noRefusedMessages = "None. Messages of providers that were refused appear here.";
export const refundOf = (amountCents: number) => `Refund of ${formatMoney(amountCents)}`;
export const refundAsked =
  "Asked for {at}. The provider has not answered; it is asked again each minute. {reference}";
export const messageDetail = (timesSeen: number) =>
  `{provider}, {reference}: {detail}. Came ${countOf(timesSeen, "time")}, last {at}.`;
export const player = "Player";
export const putAwayConfirm = "Put this message away?";
export const putAway = "Put away";
export const putAwayHint = "It moves no money. What was done about it stays on record.";
export const whatWasDone = "What was done";
