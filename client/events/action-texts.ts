import { formatCount, countOf } from "../base/format/count.ts";
import { formatMoney } from "../base/format/money.ts";

/** The texts of the Action page. */

// Card body
export const noLongerLiveTitle = "No longer live.";
export const noLongerLiveHint = "Reload the page to go on.";
export const pausedHint = "Your calls are safe. The clock goes on from here.";
export const waitingTitle = "Stay close.";
export const waitingHint = "The next question appears here a few seconds before it opens.";
export const withdrawn = { skip: "Skipped", reset: "Reset" } as const;
export const byTheHost = (done: string) => `${done} by the host.`;
/** @param cents what came back to the player; 0: nothing was wagered. */
export const withdrawnHint = (cents: number) =>
  cents === 0 ? `${doesNotCount}.` : `${formatMoney(cents)} is back.`;
export const doesNotCount = "Does not count";
export const callsClosedTitle = "Calls are closed.";
export const callsClosedHint = (count: string) => `Waiting for the result. ${count}.`;
export const resultPaysIn = (result: string, left: string) => `Result: ${result}, pays in ${left}`;
export const resultPaysAfterPause = (result: string) => `Result: ${result}, pays after the pause`;
export const pendingResultHint = "Until then the host may change it.";
export const pendingResultAndHint = (result: string) => `${result}. ${pendingResultHint}`;
export const calledItSoFar = "You called it.";
export const notThisTime = "Not this time.";
export const calledBothSides = "You called both sides.";
export const right = "You were right.";
export const otherSideEmpty = "Nobody took the other side";
export const rightUnopposed = `${right} ${otherSideEmpty}.`;
export const wagerComesBack = "Your wager comes back.";
export const callPlaced = "Your call is placed.";
export const callsPlaced = (count: number) => `Your ${count} calls are placed.`;
export const reconnectingTitle = "Reconnecting";
export const reconnectingHint = "Nothing is lost.";
export const reconnectingHintWithCalls = (callsText: string) => `${callsText} Nothing is lost.`;
export const called = "Calls";
export const inThePool = "At stake";
export const closes = "Closes";
export const openFor = "Open for";
export const secondsOpen = (seconds: number) => `${seconds} s`;
export const opens = "Opens";
export const notSetYet = "Not set yet";
export const players = "Players";
export const questions = "Questions";
export const joined = "Joined";
export const starts = "Starts";
export const startsByHand = "When the host says";

// Card clock
export const onHold = "on hold";
export const onHoldAt = "On hold at";
export const lastSeen = "last seen";
export const lastSeenAt = "Last seen at";
export const toOpen = "to open";
export const opensIn = "Opens in";
export const toClose = "to close";
export const closesIn = "Closes in";
export const toPay = "to pay";
export const paysIn = "Pays in";
export const toGo = "to go";
export const startsIn = "Starts in";

// Card meta
export const numberOf = (number: number, count: number) => `${number} of ${count}`;
export const notLive = "Not live";
export const offline = "Offline";
export const payingSoon = "Paying soon";
export const corrected = (resultLabel: string) => `Corrected: ${resultLabel}`;
export const voidLabel = "Called off";
export const resolvedAs = (label: string) => `Resolved: ${label}`;
export const waiting = "Waiting";
export const upNext = "Up next";
export const open = "Open";
export const closing = "Closing";
export const closed = "Closed";
export const paused = "Paused";
export const resolved = "Resolved";
export const over = "Over";

// Event card
export const allCallsSettled = "All calls are settled";
export const noPoolYet = "No pool yet";
export const notStartedYet = (name: string) => `${name} has not started yet`;
export const thankYouTitle = "That was it. Thank you for calling.";
export const sessionPausedTitle = "The host has paused the session";
export const nextQuestionTitle = "The next question is on its way";

// Result
export const calledOff = "Called off";
export const payingOutNow = "Paying out now.";
export const stake = "Stake";
export const returnLabel = "Return";
export const net = "Net";
export const watchedWithoutCall = "The next one can be yours.";
export const noCallMade = "You made no call on this one.";
export const settlementLink = "How this was settled";
export const share = "Share";
export const outcomeWon = "You called it";
export const outcomeLost = "It went the other way";
export const outcomeEven = "Both ways: even";
export const outcomeRefunded = "Your wager is back";
export const back = "back";
export const shareThePicture = "Share the picture";
/** @param others how many more calls were right. */
export const fewSawIt = (others: number, callsCount: number) =>
  `Only you${others === 0 ? "" : ` and ${formatCount(others)}`} of ${formatCount(callsCount)} saw it.`;
/** @param others how many more calls were on the same side. */
export const sawItToo = (others: number, callsCount: number, isClose: boolean) => {
  if (others === 0) return "Only you saw it that way.";
  const words = `ou and ${formatCount(others)} of ${formatCount(callsCount)} saw it that way.`;
  return isClose ? `It was close: y${words}` : `Y${words}`;
};

// Side tag
export const checking = "Checking...";
export const sending = "Sending";
export const placed = (preciseClock: string) => `Placed ${preciseClock}`;
export const won = (returnedCents: number) => `Won ${formatMoney(returnedCents)}`;
export const lost = (wageredCents: number) => `Lost ${formatMoney(wageredCents)}`;
export const refunded = (returnedCents: number) => `${formatMoney(returnedCents)} back`;

// Sides
export const youThink = "You think";
export const sideSpoken = (label: string, text: string) => `You think ${label}. ${text}`;
export const defaultTrueLabel = "True";
export const defaultFalseLabel = "False";
export const opensSoon = "Opens soon";
export const opensAfter = (left: string) => `Opens in ${left}`;
export const yourCallStands = "Your call stands";
export const closedAlready = "Closed already";
export const playToCallIt = "Play to call it";
export const couldPay = (money: string) => `could pay ${money}`;
/** @param money what all wagers of the player on the side could pay with it. */
export const morePays = (wager: string, money: string) => `+${wager} more → ${money}`;
export const plusPays = (wager: string, money: string) => `+${wager} → ${money}`;
export const firstCall = "First call";
export const nobodyAgainst = "Nobody against";
export const nothingLeft = "Nothing left to wager";
export const takesNoMore = "Takes no more from you";
export const notOpen = "Not open";
export const newQuestion = "New question";
export const readItFirst = "New question. Read it first.";
export const theResult = "The result";
export const calledBy = (callsCount: number) => countOf(callsCount, "call");

// Slip
export const offlineHint = "Calls can be placed again once you are back.";
export const watchingHint = "Watching. Join in one tap, no account.";
export const hostOpensSides = "The host opens the sides.";
export const sidesOpenSoon = "The sides open in a moment.";
export const readItNow = (when: string) => `Read it now. ${when}`;
export const noCallYet = "Tap a side. Others' calls change what you can win.";
export const firstCallHope = "First call: you win what is put against you.";
export const callersDecideNothing = "If you call it, somebody else must decide it.";
export const waitsForOthers = "waits for the other side";
export const howItPays = "What a call can win";
export const slipEmpty = "Your calls appear here.";
export const callBeingChecked = "is being checked";
export const callOnItsWay = "is on its way";
export const cancel = "Cancel";
export const cancelAfterPause = "You can take it back once the show goes on.";
export const undo = "Undo";
export const undoName = (label: string, wagerCents: number) =>
  `Undo: call ${label}, ${formatMoney(wagerCents)} again`;
export const justTakenBack = "Taken back:";
export const nextQuestionSoon = "Next question soon.";
export const myCalls = "My calls";
export const newestReceipt = "My receipt";
export const topUpTomorrow = "You can top up again tomorrow.";
export const outOfMoney = "Your play money is used up.";
export const onTheHouse = "It's on the house.";

// Wager row
export const wager = "Wager";
export const less = "Less";
export const more = "More";
export const max = "Max";
export const wagerLimit = (maxCents: number) => `You can wager up to ${formatMoney(maxCents)}`;
export const noWagerOffline = "Not while you are offline";
export const noCallsNow = "No calls are taken now";
export const wagerIs = (cents: number) => `Wager ${formatMoney(cents)}.`;
export const wagerInDollars = "Wager in dollars";
export const checkAmount = "Check amount";
export const wagerBlank = "Type an amount, like 5 or 12.50.";
export const wagerDecimals = "At most 2 digits after the point.";
export const wagerUnclear = "Not an amount. Write it like 12.50.";
export const wagerTooSmall = (minCents: number) => `Wager ${formatMoney(minCents)} or more.`;
export const wagerTooLarge = (leftCents: number) => `Up to ${formatMoney(leftCents)} on this question.`;
export const wagerNoMore = "This question takes no more from you.";
export const wagerNotCovered = (availableCents: number) =>
  `You have ${formatMoney(availableCents)} to wager.`;
/** @param problem the server's words: "must be less than or equal to 5". */
export const wagerRefused = (problem: string) => `The wager ${problem}.`;

// Ticker
export const pausedAt = (at: string, presence: string) => `Paused at ${at}. ${presence}`;
export const closedAt = (clock: string) => `Closed at ${clock}.`;
export const lastWordAt = (clock: string) => `Last word from the server ${clock}.`;
export const lastWordTryingAgain = (clock: string) => `Last word from the server ${clock}. Trying again.`;
export const callsSoFar = (callsCount: number) => `${countOf(callsCount, "call")} so far.`;
export const noPlayersYet = "No players here yet.";
export const playersHere = (count: number) => `${countOf(count, "player")} here.`;
export const wagersReturned = "Everybody has the wager back.";
export const wagersBack = (resultLabel: string, cause: string) =>
  `${resultLabel}. ${cause}: the wagers are back.`;
export const calledItCount = (resultLabel: string, rightCount: number, callsCount: number) =>
  `${resultLabel}: ${callsCount === 0 ? "nobody" : `${rightCount} of ${formatCount(callsCount)}`} called it.`;

// Rail
export const mySession = "My session";
export const playAlong = "Play along";
export const playAlongHint =
  "You start with $100.00 of play money, and without an account. The ranks appear here.";
export const myRank = "My rank";
export const you = (username: string) => `${username} (you)`;
export const ofPlayers = (count: number) => `of ${count}`;
export const noRanksYet = "Ranks come with the first result.";
export const wonLost = (wins: number, losses: number) => `${wins} won, ${losses} lost`;
export const allHistory = "All history";
export const myCallsEmpty = "What you call appears here.";
export const chat = "Chat";
export const live = "Live";
export const playersCount = (count: number) => countOf(count, "player");
/** "mira_k called True $10" */
export const otherCalled = (username: string, label: string, money: string) =>
  `${username} called ${label} ${money}`;
export const feedEmpty = "Nobody has called yet. Be the first.";
export const feedQuiet = "Who calls what is shown here.";

// Next text
export const nextQuestionIn = (left: string) => `Next question in ${left}`;
export const hostStartsNext = "The host opens the next question";
export const nextAfterResult = "The next question follows the result";

// Result label
export const nobodyRight = "Nobody called it";

// Use placing
export const takenBack = (label: string, wagerCents: number) =>
  `Taken back: ${label}, ${formatMoney(wagerCents)}. Undo is there for 5 seconds, or press Control Z.`;
export const youCalled = (label: string, wagerCents: number) =>
  `You called ${label}, ${formatMoney(wagerCents)}.`;
export const notPlaced = "Your call did not arrive. Nothing was placed.";
export const stillBeingChecked = "Your last call is still being checked.";
export const noAnswer = "No answer. If your call arrived, it shows here once you are back.";
export const cancelBeingChecked = "Checking whether your call was taken back.";
export const noAnswerToCancel = "No answer. Your call shows here as it is once you are back.";
export const failedTryAgain = "That did not work. Try again.";
