import { countOf } from "../base/format/count.ts";

/** The texts of the front door: what a stranger reads before the first call. */

export const slogan = "Say it before it happens.";
export const what =
  "Call what happens next in a live show, with play money. Those who are right share the pool.";

// Live now
export const liveNow = "Live now";
export const paused = "Paused";
export const liveNowIn = (name: string) => `Live now: ${name}`;
export const nextQuestion = "The next question is on its way.";
export const callsSoFar = (callsCount: number) => countOf(callsCount, "call");
export const couldPay = (amount: string) => `$1 could pay ${amount}`;
export const firstCall = "First call: you win what is put against you.";
export const othersPay = "You win what others put against you.";
export const waitsForResult = "Calls are closed. Waiting for the result.";
export const toClose = "to close";
export const closesIn = "Closes in";
export const toOpen = "to open";
export const opensIn = "Opens in";
export const startsWithMoney = (amount: string) => `You start with ${amount} of play money.`;

// Next start
export const nothingLive = "Nothing is live right now.";
export const nextIs = "Next";
export const startsByHand = "It starts when the host says.";
export const starts = "Starts {at}";
export const toStart = "to go";
export const startsIn = "Starts in";
export const noNext = "No show is planned yet.";
export const noNextButLinked = "Join, and you are there when it starts.";

// Play now
export const yourName = "Your name";
export const nameHint = "You can leave it empty.";
export const playNow = "Play now";
export const joinNow = "Join now";
export const noAccount = "No account.";
export const acceptsTerms = "By playing you accept the {terms}.";
export const termsLink = "terms";
export const linkedSession = "Join the session of your link";
