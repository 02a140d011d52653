import { countOf } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import type { EventResult, EventState } from "#db/lists/events.ts";
import { labelsOf } from "#src/base/contract.ts";

/** The texts of the replay of a session. */

export const replay = "Replay";
export const download = "Download";
export const asJson = "JSON";
export const asCsv = "CSV";
export const loadingReplay = (stepsCount: number) =>
  stepsCount === 0
    ? "Loading the replay..."
    : `Loading the replay: ${countOf(stepsCount, "change")} so far...`;
export const notLoaded = "The replay could not be loaded completely.";
export const noAnswer = "The server did not answer.";
export const tryAgain = "Try again";
export const needsScript = "The replay needs JavaScript. The downloads have everything that it shows.";
export const nothingYet = "Nothing has happened in this session yet";
export const nothingYetHint = "Each change is recorded from now on.";
export const derived =
  "Until {at} this session was not recorded. What you see before that follows from its actions, calls and results. Earlier questions, delays, corrections, resets and exclusions of that time are not known.";
export const derivedWholly =
  "This session was not recorded. What you see follows from its actions, calls and results. Earlier questions, delays, corrections, resets and exclusions are not known.";

// Controls
export const timeline = "Time";
export const controls = "Controls";
export const play = "Play";
export const pause = "Pause";
export const speed = "Speed";
export const times = (factor: number) => `x${factor}`;
export const timesSpoken = (factor: number) => (factor === 1 ? "Normal speed" : `${factor} times as fast`);
export const previousResult = "Previous result";
export const nextResult = "Next result";
export const resultsShown = (passed: number, all: number) =>
  all === 0 ? "No results" : `Result ${passed} of ${all}`;
export const skipsQuiet = "Times without a change are shortened.";
export const keysHint =
  "Arrow keys move by a second, Page Up and Page Down by a tenth, Home and End to the ends.";
export const afterStart = (elapsed: string) => `${elapsed} after the start`;
export const beforeStart = "before the start";
export const spoken = (clock: string, since: string, onAir: string) => `${clock}, ${since}. ${onAir}`;

// What it shows
export const onAir = "On air";
export const nothingOnAir = "No action is open.";
export const sessionIs = {
  pending: "Not started",
  running: "Running",
  paused: "Paused",
  stopped: "Ended",
} as const;
export const openFor = (left: string) => `${left} left`;
export const stoodStill = "The clock stands still";
/** Its title comes last, because it ends with a mark of its own. */
export const spokenEvent = (event: {
  position: number;
  count: number;
  state: string;
  pool: string;
  title: string;
}) => `Action ${event.position} of ${event.count}, ${event.state}, ${event.pool}: ${event.title}`;
export const spokenPool = (trueLabel: string, trueCents: number, falseLabel: string, falseCents: number) =>
  `${trueLabel} ${formatMoney(trueCents)}, ${falseLabel} ${formatMoney(falseCents)}`;
export const stateLabel = labelsOf<EventState>({
  draft: "Draft",
  visible: "Announced",
  open: "Open",
  closed: "Closed",
  resolved: "Resolved",
  hidden: "Hidden",
  soft_destroyed: "Deleted",
});
export const voided = "Void";
export const pending = (label: string) => `${label}, not paid yet`;
export const corrected = (count: number) => (count === 1 ? "Corrected" : `Corrected ${count} times`);
export const actions = "Actions";
export const actionsCaption = "All actions at this time, in their order";
export const action = "Action";
export const state = "State";
export const poolOf = "Pool";
export const calls = "Calls";
export const drift = "Drift";
export const noActions = "No action was announced yet.";
export const leaders = "Leaders";
export const leadersCaption = (totalCount: number) =>
  `The first of ${countOf(totalCount, "player")} at this time`;
export const rank = "Rank";
export const player = "Player";
export const won = "Won";
export const lost = "Lost";
export const net = "Net";
export const teams = "Teams";
export const team = "Team";
export const players = "Players";
export const score = "Score";
export const noLeaders = "Nobody has a score yet.";
export const formerPlayer = "A former player";
export const rankOf = (place: number, tied: boolean) => (tied ? `=${place}` : String(place));
export const audit = "Who did what";
export const nothingDone = "Nobody has done anything yet.";
export const jumpedTo = (clock: string, title: string, result: string) => `${clock}. ${title} ${result}`;

// Check of the payouts
export const checkAll = "Recompute everything";
export const checkAllHint =
  "Each decision is computed again by a second implementation of the formula, and compared with what was paid.";
export const checking = (done: number, all: number) => `${done} of ${all} checked...`;
export const stopChecking = "Stop";
export const nothingDecided = "Nothing was decided in this session yet.";
export const allMatch = (decisions: number, callsCount: number, paidCents: number) =>
  `All payouts match: ${countOf(decisions, "decision")}, ${countOf(callsCount, "call")}, ${formatMoney(paidCents)}.`;
export const someDiffer = (decisions: number) => `${countOf(decisions, "decision")} with differences.`;
export const someUnchecked = (decisions: number) => `${countOf(decisions, "decision")} could not be checked.`;
export const stopped = (done: number, all: number) => `Stopped after ${done} of ${all}.`;
export const decisions = "Decisions and their checks";
const resultWord = labelsOf<EventResult>({ true: "True", false: "False", void: "Void" });
export const decision = (version: number, result: EventResult) =>
  version === 1 ? `Result ${resultWord(result)}` : `Corrected to ${resultWord(result)}`;
export const inRound = (round: number) => `round ${round}`;
export const replaced = "replaced later";
export const waits = "Not checked yet";
export const matches = (callsCount: number, paidCents: number) =>
  callsCount === 0
    ? "Nobody had called"
    : `${countOf(callsCount, "call")}, ${formatMoney(paidCents)}: all match`;
export const differ = (count: number) =>
  `${countOf(count, "call")} got another amount than the formula gives`;
export const difference = (callId: number, paidCents: number, expectedCents: number) =>
  `Call ${callId} got ${formatMoney(paidCents)}; the formula gives ${formatMoney(expectedCents)}.`;
export const furtherDifferences = (count: number) => `And ${count} more.`;
