import { countOf, formatCount } from "../base/format/count.ts";
import { formatMoney, formatShortMoney } from "../base/format/money.ts";

/** The texts of the control room: the stage, the running order and the session. */

// Show screen
export const space = "Space";

// Stage
export const onStage = "On stage";
export const emptyTitle = "Nothing in the running order";
export const emptyHint = "Add the first action under New Action.";
export const positionOf = (position: number, count: number) => `${position} of ${count}`;
export const followTheShow = "Follow the show";
export const onAirNow = (number: number, title: string) => `On air: ${number}. ${title}`;
export const callsAndSeconds = (callsCount: number, durationSeconds: number) =>
  `${countOf(callsCount, "call")}, ${durationSeconds} s`;

// Air clock
export const toShow = "to show";
export const shownIn = "Shown in";
export const toOpen = "to open";
export const opensIn = "Opens in";
export const toClose = "to close";
export const closesIn = "Closes in";
export const toResult = "to result";
export const resolvesIn = "Resolves in";
export const toPay = "to pay";
export const paysIn = "Pays in";
export const sinceClose = "since close";
export const closedFor = "Closed for";

// What next
export const payingHint = (paying: string) => `${paying} calls. Players are notified in turn.`;
export const hiddenHint = "Players do not see it.";
export const forSeconds = (durationSeconds: number) => `for ${countOf(durationSeconds, "second")}`;
export const opensAfterStart = (minutes: string, openFor: string) =>
  `Opens ${minutes} after the start, ${openFor}.`;
export const opensByHand = (openFor: string) => `Opens when you advance to it, ${openFor}.`;
export const opensAsPlanned = (when: string, openFor: string) => `Opens ${when}, ${openFor}.`;
export const notPlannedHint = "Nothing is planned for it: advance to it, or publish and open it by hand.";
export const happensAt = (verb: string, clock: string) => `${verb} at ${clock}.`;
export const happensAfterResume = (verb: string, minutes: string) =>
  `${verb} ${minutes} after the show resumes.`;
export const playersSeeIt = "Players see it";
export const opens = "Opens";
export const closes = "Closes";
export const resolvesByItself = "Resolves by itself";
export const paysAfterResume = "Pays after the show resumes.";
export const paysAt = (clock: string) => `Pays at ${clock}.`;
export const waitsUntilRefundAt = (clock: string) => `Waits for your result. At ${clock} all is refunded.`;
export const voidedUncalledAt = (clock: string) =>
  `Nobody has called it. It is voided at ${clock}, unless you decide.`;
export const voidedUncalledAfter = (minutes: string) =>
  `Nobody has called it. It is voided ${minutes} after the show resumes, unless you decide.`;
export const waitsForResult = 'Waits for your result. Players see "Calls are closed".';
export const waitsForResultBy = (clock: string) =>
  `Waits for your result by ${clock}. Players see "Calls are closed".`;

// Run of show
export const runOfShow = "Run of show";
export const numberOf = (number: number, count: number) => `${number} of ${count}`;
export const reorderHint = "Press Alt and the up or down arrow to move it, or drag it.";

// Run row
export const moveAction = (number: number, title: string) => `Move action ${number}, ${title}`;
export const callCount = (callsCount: number) => countOf(callsCount, "call");
export const callsInPool = (callsCount: number, totalCents: number) =>
  `${countOf(callsCount, "call")}, ${formatShortMoney(totalCents)} in the pool`;
export const secondsOpen = (seconds: number) => `${seconds} s`;
export const secondsAndStart = (seconds: number, start: string) => `${seconds} s, ${start}`;
export const voidResult = "Void";
export const moveButtons = "Move it";
export const alreadyNext = "It is the next already.";
export const earlier = "Earlier";
export const alreadyLast = "It is the last already.";
export const later = "Later";

// Session deck
export const activeLabel = "Players are sent here";
export const playersHere = (playersOnline: number) => `${countOf(playersOnline, "player")} here`;
export const deactivate = "Stop sending players here";
export const activate = "Send players here";
export const edit = "Edit";
export const replay = "Replay";
export const endUnknown = "end not known yet";
export const endsAt = (clock: string) => `ends ${clock}`;
export const onTime = "On time";
export const behind = (drift: string) => `${drift} behind`;
export const ahead = (drift: string) => `${drift} ahead`;
export const stopTitle = (name: string) => `Stop ${name}?`;
export const stopConfirm = "Stop it";
export const stopCancel = "Keep it going";
export const stopWarning = "There is no way back into the show.";
export const stopClosesActions = (count: number) => `${countOf(count, "open action")} will close now.`;
export const stopHidesActions = (count: number) =>
  `${countOf(count, "action")} that never opened will be hidden.`;
export const takesBackOwn = (callsCount: number, cents: number) =>
  callsCount === 1
    ? `Your call of ${formatMoney(cents)} is taken back.`
    : `Your ${callsCount} calls of ${formatMoney(cents)} are taken back.`;
export const onPauseOrStop = (takenBack: string) => `Pause or Stop: ${takenBack}`;
export const stopLeavesUndecided = (count: number) =>
  `${countOf(count, "action")} will wait for your result; without one everybody is refunded after 24 hours.`;

// Event deck
export const runningOrder = "Running order";
export const delayBySeconds = (number: number) => `Delay ${number} by seconds`;
export const delay = (number: number) => `Delay ${number}`;
export const seconds = "seconds";
export const advance = (number: number) => `Advance ${number}`;
export const advanceStart = (number: number) => `Advance: start ${number}`;
export const advanceShow = (number: number) => `Advance: show ${number}`;
export const advanceOpen = (number: number) => `Advance: open ${number}`;
export const advanceClose = (number: number) => `Advance: close ${number}`;
export const advanceNext = "Advance: next action";
export const close = (number: number) => `Close ${number}`;
export const skip = (number: number) => `Skip ${number}`;

// Further acts
export const byHand = "By hand";
export const deleteButton = "Delete";
export const deleteTitle = "Delete this action?";
export const deleteWarning = (title: string) => `${title} goes out of the session. There is no way back.`;
export const resetTitle = "Reset this action?";
export const resetAndRefund = "Reset and refund";
export const resetWarning = (title: string) =>
  `${title} becomes a draft again, without a plan. A new round of calls begins when it opens.`;
export const resetRefunds = (callsCount: number, totalCents: number) =>
  `${countOf(callsCount, "call")} with ${formatShortMoney(totalCents)} will be refunded, and what was paid is taken back.`;

// Audit panel
export const audit = "Audit";

// Keys help
export const delayKeyHelp = "ten seconds earlier or later";
export const pauseKeyHelp = "pause or resume";
export const rowKeys = "1, 2 ... 12";
export const rowKeyHelp = "choose the action of this number, if it waits for a result";
export const skipKeyHelp = "arm a skip of what is on the stage";
export const verdictKeys = "T, F, V";
export const verdictKeyHelp = "arm True, False or void, and show what it pays";
export const enter = "Enter";
export const enterKeyHelp = "do what is armed";
export const escape = "Escape";
export const escapeKeyHelp = "disarm, back to the stage, or give the room the focus";
export const undoKeyHelp = "take the newest result back; once it is paid, correct it";
export const helpKeyHelp = "this help";
export const keysHint =
  "The keys act while they have a frame: the room has the focus, and nothing on the stage has changed for a second. A click on a free place, or Escape, gives the room the focus. No key acts while you fill in a form.";
export const armedStays = "What is armed stays armed";
export const onOff = { on: "On", off: "Off" };
export const keys = "Keys";

// Paying text
export const payingProgress = (paidCallsCount: number, callsCount: number) =>
  `Paying ${formatCount(paidCallsCount)} of ${formatCount(callsCount)}`;

// Describe line
export const clockActor = "The clock";
export const withToken = (username: string, token: string) => `${username} (${token})`;
export const published = "published";
export const opened = "opened";
export const closed = "closed";
export const resolved = "resolved";
export const didReset = "reset";
export const hid = "hid";
export const showed = "showed";
export const deleted = "deleted";
export const added = "added";
export const changed = "changed";
export const advanced = "advanced";
export const skipped = "skipped";
export const delayed = "delayed";
export const generatedSession = "generated the session";
export const notedResult = "noted the result";
export const prolongedDelay = "got more time to take back";
export const tookBackResult = "took the result back";
export const tookBackCall = "took back a call on";
export const reordered = "changed the order";
export const madeSession = "made the session";
export const changedSession = "changed the session";
export const startedSession = "started the session";
export const pausedSession = "paused the session";
export const resumedSession = "resumed the session";
export const stoppedSession = "stopped the session";
export const activatedSession = "sent players here";
export const removedMessage = "removed a message";
export const approvedMessage = "let a message on the big screen";
export const mutedPlayer = "muted a player";
export const deactivatedSession = "stopped sending players here";
export const excludedPlayer = "excluded a player from the leaders";
export const readmittedPlayer = "ranked a player again";
export const recountedScores = "recounted the scores";
export const renewedStageLink = "made a new stage link";
export const renewedJoinCode = "made a new join code";
export const removedPlayer = "removed a player";
export const addedHost = "added a host";
export const removedHost = "removed a host";

export const asResult = (result: string) => `as ${result}`;
export const withOwnCalls = (cents: number) => `(own calls of ${formatMoney(cents)} taken back)`;
export const byTime = (time: string) => `by ${time}`;

// Why not
/** "visible, open or closed" */
export const orOf = (words: readonly string[], last: string) => `${words.join(", ")} or ${last}`;
export const alreadyCalled = "Somebody has called on it.";
export const noPendingResult = "No result waits to be paid.";
export const notPlanned = "Nothing is planned for it.";
export const sessionIs = (state: string) => `It is ${state}.`;
export const noActionsYet = "Add an action first.";
export const alreadyActive = "Players are sent here already.";
export const notActive = "Players are not sent here.";
export const wrongState = (label: string, states: string, state: string) =>
  `${label} is for ${states} actions. This one is ${state}.`;
export const sessionNotStarted = "The session has not started.";
export const sessionIsRunning = "The session is running.";
export const sessionIsPaused = "The session is paused.";
export const sessionIsOver = "The session is over.";
export const ownCall = "You have a call on it. Somebody else must do this.";
