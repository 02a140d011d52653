import { paceRules } from "#src/show/events/pace/contract.ts";

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

/** What may feel rushed to players or to the host: the course of the show, and taps that come too late. */
export const rushedRules = [...paceRules, "many_late_taps"] as const;
export type RushedRule = (typeof rushedRules)[number];

/** The share of taps after the close from which on they are remarked, in percent. */
export const LATE_TAPS_PERCENT = 10;

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
