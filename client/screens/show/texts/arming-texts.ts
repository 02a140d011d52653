import { countOf } from "#client/base/format/count.ts";
import { formatShortMoney } from "#client/base/format/money.ts";
import type { Ended } from "../arming/use-arming.ts";

/** The texts about what is armed, what waits for a result, and the other hosts. */

// Slot
export const backToStage = (number: number) => `Back to ${number}`;
export const keysActOn = (number: number, title: string) => `T, F and V act on ${number}. ${title}`;

// Armed form
export const resolveTitle = (number: number, resultText: string) => `Resolve ${number} as ${resultText}?`;
export const correctTitle = (number: number, resultText: string) => `Correct ${number} to ${resultText}?`;
export const skipTitle = (number: number) => `Skip ${number}?`;
export const armedHint = (question: string) => `${question} Armed. Nothing has happened yet.`;
export const disarmsIn = (seconds: number) => `disarms in ${seconds} s`;
export const payOut = (resultText: string) => `Pay out ${resultText}`;
export const voidAndRefund = "Void and refund";
export const skipNow = "Skip it";
export const skipAndRefund = "Skip and refund";
export const disarm = "Disarm";
export const enter = "Enter";
export const escape = "Esc";
export const takeBackSoon = "Take it back";
export const takingBack = "It is taken back";
export const addReason = "Add a reason";
export const skipUncalled = "It leaves the show. Nobody has called it.";
export const skipRefunds = (callsCount: number, totalCents: number) =>
  `It leaves the show. ${countOf(callsCount, "call")} with ${formatShortMoney(totalCents)} will be refunded.`;
/** By the number of the action. */
export const ended: Record<Ended, (number: number) => string> = {
  disarmed: () => "Disarmed. Nothing has happened.",
  decided: (number) => `Disarmed: action ${number} was decided meanwhile.`,
  takenBack: (number) =>
    `Disarmed: the result of action ${number} was taken back meanwhile. Arm it again if it is still right.`,
  skipped: (number) => `Disarmed: action ${number} has left the show.`,
  reset: (number) => `Disarmed: action ${number} was reset, and is a draft again.`,
  gone: () => "Disarmed: the action was deleted.",
  staked: (number) => `Disarmed: you have a call on action ${number}. Somebody else must decide.`,
  stopped: () => "Disarmed: the show was stopped.",
  changed: (number) => `Disarmed: action ${number} changed meanwhile. Arm it again if it is still right.`,
};

// Tray
export const waiting = (count: number) => `Waits for your result (${count})`;
export const chooseHint = "Its number chooses one for T, F and V.";
export const closedSince = (minutes: string) => `closed ${minutes} ago`;
export const resultFor = (resultText: string, number: number, title: string) =>
  `${resultText}: ${number}. ${title}`;
export const choose = "Choose";

// Hosts
export const alsoHere = (names: string) => `${names} here too`;
export const yourOtherWindow = "Your other window";
export const and = " and ";
export const aboutToCall = (name: string, number: number, resultText: string) =>
  `${name} is about to call ${number} ${resultText}.`;
export const aboutToVoid = (name: string, number: number) => `${name} is about to void ${number}.`;
export const aboutToSkip = (name: string, number: number) => `${name} is about to skip ${number}.`;
export const decidedAgo = (name: string, number: number, resultText: string, seconds: number) =>
  `${name} called ${number} ${resultText} ${seconds} s ago.`;
