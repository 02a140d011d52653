import { formatCount, countOf } from "../base/format/count.ts";
import { formatMoney } from "../base/format/money.ts";

/** The texts of the Action page. */

// Card body
export const noLongerLiveTitle = "No longer live.";
export const noLongerLiveHint = "Reload the page to go on.";
export const pausedTitle = "Paused by the host.";
export const pausedHint = "Your calls are safe. The clock goes on from here.";
export const waitingTitle = "Stay close.";
export const waitingHint = "The next question appears here a few seconds before it opens.";
export const callsClosedTitle = "Calls are closed.";
export const callsClosedHint = (count: string) => `Waiting for the result. ${count} called.`;
export const resultPaysIn = (result: string, left: string) => `Result: ${result}, pays in ${left}`;
export const resultPaysAfterPause = (result: string) => `Result: ${result}, pays after the pause`;
export const pendingResultHint = "Until then the host may change it.";
export const pendingResultAndHint = (result: string) => `${result}. ${pendingResultHint}`;
export const calledItSoFar = "You called it.";
export const notThisTime = "Not this time.";
export const calledBothSides = "You called both sides.";
export const wagerComesBack = "Your wager comes back.";
export const callPlaced = "Your call is placed.";
export const callsPlaced = (count: number) => `Your ${count} calls are placed.`;
export const reconnectingTitle = "Reconnecting...";
export const reconnectingHint = "Nothing is lost.";
export const reconnectingHintWithCalls = (callsText: string) => `${callsText} Nothing is lost.`;
export const called = "Called";
export const inThePool = "In the pool";
export const closes = "Closes";
export const openFor = "Open for";
export const secondsOpen = (seconds: number) => `${seconds} s`;
export const opens = "Opens";
export const notSetYet = "Not set yet";
export const players = "Players";
export const actions = "Actions";
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
export const voidLabel = "Void";
export const resolvedAs = (label: string) => `Resolved: ${label}`;
export const startsSoon = "Starts soon";
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
export const nextActionTitle = "The next action is on its way";

// Result
export const calledOff = "Called off";
export const payingOutNow = "Paying out now.";
export const calledOffRefunded = "Called off, refunded";
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
export const outcomeRefunded = "Refunded";

// Side tag
export const checking = "Checking...";
export const sending = "Sending";
export const placed = (preciseClock: string) => `Placed ${preciseClock}`;
export const won = (returnedCents: number) => `Won ${formatMoney(returnedCents)}`;
export const lost = (wageredCents: number) => `Lost ${formatMoney(wageredCents)}`;
export const refunded = (returnedCents: number) => `Refunded ${formatMoney(returnedCents)}`;

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
export const estimate = (money: string) => `est. ${money}`;
export const notOpen = "Not open";
export const newQuestion = "New question";
export const readItFirst = "New question. Read it first.";
export const theResult = "The result";
export const calledBy = (callsCount: number) => `Called by ${formatCount(callsCount)}`;

// Trend
export const shareTrend = (label: string) => `${label} share since you came`;
export const shareRange = (first: string, last: string) => `${first} to ${last}`;
export const shareTrendSpoken = (label: string, range: string) => `${label} share went from ${range}`;

// Slip
export const offlineHint = "Calls can be placed again once you are back.";
export const watchingHint = "You are watching. Guests play at once.";
export const hostOpensSides = "The host opens the sides.";
export const sidesOpenSoon = "The sides open in a moment.";
export const readItNow = (when: string) => `Read it now. ${when}`;
export const noCallYet = "No call yet. Estimates move with the pool.";
export const slipEmpty = "Your calls appear here.";
export const callBeingChecked = "is being checked";
export const callOnItsWay = "is on its way";
export const cancel = "Cancel";
export const cancelAfterPause = "You can take it back once the show goes on.";
export const undo = "Undo";
export const undoName = (label: string, wagerCents: number) =>
  `Undo: call ${label}, ${formatMoney(wagerCents)} again`;
export const justTakenBack = "Taken back:";
export const undoSpoken = "Undo is there for 5 seconds, or press Control Z.";
export const estimatedReturn = (estimate: string) => `→ est. ${estimate}`;
export const nextActionSoon = "The next action is on its way.";
export const myCalls = "My calls";
export const topUpTomorrow = "You can top up again tomorrow.";
export const outOfMoney = "Your play money is used up.";

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
export const closedAt = (clock: string) => `Closed by the server at ${clock}.`;
export const lastWordAt = (clock: string) => `Last word from the server ${clock}.`;
export const lastWordTryingAgain = (clock: string) => `Last word from the server ${clock}. Trying again.`;
export const callsSoFar = (callsCount: number) => `${countOf(callsCount, "call")} so far.`;
export const noPlayersYet = "No players here yet.";
export const playersHere = (count: number) => `${countOf(count, "player")} here.`;
export const wagersReturned = "Everybody has the wager back.";
export const allRefunded = (resultLabel: string, cause: string) =>
  `${resultLabel}. ${cause}: all are refunded.`;
export const calledItCount = (resultLabel: string, rightCount: number, callsCount: number) =>
  `${resultLabel}: ${rightCount} of ${formatCount(callsCount)} called it.`;

// Announcer
export const timeLeft = (secondsLeft: number) => `${secondsLeft} seconds left.`;
export const sessionOver = "The session is over.";
export const questionWithLabels = (title: string, trueLabel: string, falseLabel: string) =>
  `${title} ${trueLabel} or ${falseLabel}.`;
export const nextQuestion = (question: string) => `Next: ${question}`;
export const openQuestion = (question: string) => `Open: ${question}`;
export const callsClosed = "Calls closed.";
/** @param own what it means for the player's calls: "You called it."; null without one. */
export const resultPaysSoon = (resultLabel: string, own: string | null) =>
  `Result: ${resultLabel}. ${own === null ? "" : `${own} `}It pays in a moment.`;
export const pausedSpoken = "Paused by the host. Your calls are safe.";
export const youWereRefunded = "Your wager is refunded.";
export const youCameOutEven = "You come out even.";
export const youWon = (netCents: number) => `You won ${formatMoney(netCents)}.`;
export const youLost = (lostCents: number) => `You lost ${formatMoney(lostCents)}.`;

// Rail
export const mySession = "My session";
export const playAlong = "Play along";
export const playAlongHint =
  "Guests start with $100.00 of play money, and without an account. Win more than the others, and you climb the ranks. They appear here.";
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
export const feedEmpty = "It gets lively when calls come in.";

// Next text
export const nextActionIn = (left: string) => `Next action in ${left}`;
export const hostStartsNext = "The host starts the next one";
export const nextAfterResult = "Next action follows the result";

// Result label
export const otherSideEmpty = "Nobody called the other side";

// Use placing
export const takenBack = (label: string, wagerCents: number) =>
  `Taken back: ${label}, ${formatMoney(wagerCents)}.`;
export const youCalled = (label: string, wagerCents: number) =>
  `You called ${label}, ${formatMoney(wagerCents)}.`;
export const notPlaced = "Your call did not arrive. Nothing was placed.";
export const stillBeingChecked = "Your last call is still being checked.";
export const noAnswer = "No answer. If your call arrived, it shows here once you are back.";
export const noAnswerToCancel = "No answer. Your call shows here as it is once you are back.";
export const failedTryAgain = "That did not work. Try again.";
