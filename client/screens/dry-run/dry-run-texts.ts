import { countOf, formatCount } from "#client/base/format/count.ts";
import { labelsOf } from "#src/base/contract.ts";
import {
  dryRunLimits,
  type InvariantName,
  type RushedRule,
  type TimelineKind,
} from "#src/dry-runs/contract.ts";

/** The texts of dry runs. */

// Screen
export const titleOf = (blueprint: string) => `Dry run: ${blueprint}`;
export const back = "Blueprint";
export const editActions = "Edit actions";
export const newDryRun = "New dry run";
export const emptyTitle = "Not played yet";
export const emptyHint =
  "Simulated players play this blueprint in seconds: real rules and real books, on a clock and in a database that only the dry run uses. You see the timeline, the payouts, whether the books agree, and what would feel rushed.";
export const noActionsHint = "Add an action first: there is nothing to play.";

// Form
export const settings = "How it is played";
export const players = "Players";
export const playersHint = `From ${dryRunLimits.playersMin} to ${dryRunLimits.playersMax}. Each begins with $100.`;
export const skew = "Calls on the favourite, %";
export const skewHint = "50: evenly split. The favourite wins as often, so this is how much the crowd knows.";
export const latency = "Latency, ms";
export const latencyHint = "From the tap to the server, on average.";
export const lateTaps = "Late taps, %";
export const lateTapsHint = "Taps in the last second before the close.";
export const seed = "Seed";
export const seedHint = "The same blueprint, settings and seed give the same result, to the byte.";
export const start = "Start dry run";
export const noActionsReason = "It has no actions yet.";

// Earlier runs
export const earlier = "Latest dry runs";
export const keptFor = (days: number) => `Each is kept for ${countOf(days, "day")}.`;
export const runOf = (playersCount: number, seedNumber: number) =>
  `${countOf(playersCount, "player")}, seed ${seedNumber}`;
export const startedBy = "{at} by {name}";
export const stateLabel = labelsOf({
  waiting: "Waiting",
  playing: "Playing",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
});

// Progress
export const progressTitle = "Progress";
export const waitingForTurn = (ahead: number) => `Waiting: ${countOf(ahead, "dry run")} before this one.`;
export const waitingForStart = "Waiting for the worker to begin.";
export const played = (done: number, count: number, calls: number) =>
  `${done} of ${countOf(count, "action")} played, ${countOf(calls, "call")}.`;
export const stuck =
  "Nothing moves: no worker is playing it. It begins, or begins again, once a worker runs. “bun run start” starts one; where the processes run apart, start “bun run worker”.";
export const cancel = "Cancel dry run";

// End without a result
export const cancelled = "This dry run was cancelled. Nothing is left of it.";
export const unreadable =
  "This report is of a newer version of the program, which this one cannot show. Play a new dry run.";
export const failureText = labelsOf({
  no_database:
    "The database server does not let this program create a database for the dry run. As its administrator, give the role in DATABASE_URL this right: ALTER ROLE name CREATEDB.",
  too_long: "It took more than five minutes and was ended. Take fewer players.",
  error:
    "It ended with an error of the program, which is in the log of the worker. The game is not affected.",
});

// Result
export const outdated = "The blueprint was changed since. Start a new dry run to see the change.";
export const allHold = (count: number) => `All ${count} checks hold.`;
export const someFail = (failed: number, count: number) => `${failed} of ${count} checks do not hold.`;
export const download = "Download as JSON";
export const summary = "Summary";
export const length = "Length";
export const taps = "Taps";
export const calls = "Calls placed";
export const late = "Too late";
export const refused = "Refused otherwise";
export const wagered = "Wagered";
export const paid = "Paid to winners";
export const refunded = "Given back";
export const ledgerSum = "Sum of the books";

export const checks = "Checks";
export const holds = "Holds";
export const fails = "Fails";
export const invariantLabel = labelsOf<InvariantName>({
  ledger_sum: "The sum of all accounts is zero",
  payouts: "Every call was paid what the formula says",
  books: "Every check of the books finds nothing",
  wallets: "Money only moved between players",
  calls: "Every accepted call is on record, in the right state",
  sides: "Every side has the state and the win of its action",
  schedule: "Every action was due when the plan says",
  facts: "What was broadcast leads to what is stored",
  in_time: "Calls before the close counted, and no others",
  ended: "Every action got its result and was paid",
});

export const rushedTitle = "What would feel rushed";
export const rushedCount = (count: number) => countOf(count, "remark");
export const nothingRushed = "Nothing: there is time to read, to decide and to breathe.";
export const fixAll = "Fix all";
export const fixAllHint = "Longer waits, longer open, more time for results: in the blueprint, as needed.";
export const fixed =
  "The blueprint is changed: waits and times are as long as needed. A new dry run shows it.";
export const what = "What";
export const rushed: Record<RushedRule, (measured: number, wanted: number) => string> = {
  little_time_to_read: (measured, wanted) =>
    `${measured} s to read and call. At this length people need ${wanted} s.`,
  no_pause_after_result: (measured, wanted) =>
    `Opens ${measured} s after the result before it. ${wanted} s let people see it.`,
  opens_before_result: (measured) => `Opens ${-measured} s before the action before it has its result.`,
  many_late_taps: (measured, wanted) => `${measured}% of the taps came too late. Up to ${wanted}% is usual.`,
  little_time_to_decide: (measured, wanted) =>
    `The result is due ${measured} s after the close. ${wanted} s let the host look twice.`,
};

// Drawing and tables
export const timeline = "Timeline";
export const drawn = (count: number, lengthText: string) => `${countOf(count, "action")} in ${lengthText}`;
export const drawnHint = "Each block is an action while it was open. The tables below have the same as text.";
export const time = "Time";
export const happened = "What happened";
export const action = "Action";
export const session = "Session";
export const kindLabel = labelsOf<TimelineKind>({
  session_started: "Session started",
  session_stopped: "Session stopped",
  visible: "Visible",
  open: "Open for calls",
  closed: "Closed",
  decided: "Host decided",
  resolved: "Result",
  paid: "Paid",
  hidden: "Hidden",
});
export const actions = "Actions";
export const openTime = "Open";
export const fromTo = (from: string, to: string) => `${from}–${to}`;
export const numbered = (event: number, title: string) => `${event}. ${title}`;
export const result = "Result";
export const trueSide = "True side";
export const falseSide = "False side";
export const lateColumn = "Late";
export const callsOn = (callsCount: number) => countOf(callsCount, "call");
export const results = { true: "True", false: "False", void: "Void" };
export const none = "None";
export const playersTitle = "Players";
export const playersOf = (count: number) => `${countOf(count, "player")}, one by one`;
export const everything = (count: number) => `Everything that happened, in ${countOf(count, "step")}`;
export const player = "Player";
export const won = "Won";
export const balance = "Balance";
export const ofCalls = (wonCount: number, callsCount: number) =>
  `${formatCount(wonCount)} of ${formatCount(callsCount)}`;
