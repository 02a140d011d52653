/** Limits of a dry run, for forms and refusals. */
export const dryRunLimits = {
  seedMax: 2_147_483_647,
  playersMin: 2,
  playersMax: 300,
  skewMin: 50,
  skewMax: 100,
  latencyMsMax: 5_000,
  /** Players times actions: about two minutes of work. */
  chancesMax: 12_000,
};

export const dryRunDefaults = { seed: 1, players: 40, skew: 60, latencyMs: 150, lateTaps: 5 };

/** The result is deleted after this time. */
export const DRY_RUN_KEPT_DAYS = 7;

/** The invariants that every show must hold at every moment. */
const sharedInvariants = ["books", "wallets", "calls", "sides", "schedule", "facts"] as const;
export type SharedInvariant = (typeof sharedInvariants)[number];

/** What a dry run checks at its end, besides: about its payouts, its calls and its end. */
export const invariantNames = ["ledger_sum", "payouts", ...sharedInvariants, "in_time", "ended"] as const;
export type InvariantName = (typeof invariantNames)[number];

/** What may feel rushed to players or to the host. */
export const rushedRules = [
  "little_time_to_read",
  "no_pause_after_result",
  "opens_before_result",
  "many_late_taps",
  "little_time_to_decide",
] as const;
export type RushedRule = (typeof rushedRules)[number];

/** From when on something counts as rushed. */
export const rushedLimits = {
  /** People read about 200 words a minute. */
  wordsPerSecond: 200 / 60,
  /** To look, to decide and to tap, besides reading. */
  decideSeconds: 5,
  /** Between a result and the opening of the next question. */
  pauseSeconds: 3,
  /** The share of taps that come after the close, in percent. */
  lateTapsPercent: 10,
  /** The host sees what happened, and decides. */
  resolveSeconds: 10,
};

/** What the timeline shows: the states of the session and of its actions, and payments. */
export const timelineKinds = [
  "session_started",
  "session_stopped",
  "visible",
  "open",
  "closed",
  "decided",
  "resolved",
  "paid",
  "hidden",
] as const;
export type TimelineKind = (typeof timelineKinds)[number];
