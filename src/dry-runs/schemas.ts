import * as v from "valibot";
import { outcomes } from "#db/lists/calls.ts";
import { dryRunFailures, dryRunStates } from "#db/lists/dry-runs.ts";
import { results } from "#db/lists/events.ts";
import { sides } from "#db/lists/spots.ts";
import { cents, moment, rowId, wholeNumber } from "#src/http/schemas.ts";
import { blueprintEventSchema, identity } from "#src/show/blueprints/schemas.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import {
  dryRunDefaults as defaults,
  dryRunLimits as limits,
  invariantNames,
  rushedRules,
  timelineKinds,
} from "./contract.ts";

export const startDryRunBody = v.strictObject({
  /** The same plan, options and seed give the same bytes. */
  seed: v.optional(wholeNumber(0, limits.seedMax), defaults.seed),
  players: v.optional(wholeNumber(limits.playersMin, limits.playersMax), defaults.players),
  /** How many of 100 calls are on the favourite, which wins as often: how much the crowd knows. */
  skew: v.optional(wholeNumber(limits.skewMin, limits.skewMax), defaults.skew),
  /** From the tap to the server, on average. */
  latencyMs: v.optional(wholeNumber(0, limits.latencyMsMax), defaults.latencyMs),
  /** How many of 100 taps are made in the last second before the close. */
  lateTaps: v.optional(wholeNumber(0, 100), defaults.lateTaps),
});
export type DryRunOptions = v.InferOutput<typeof startDryRunBody>;

/** The options of a stored dry run: one that was written before the option existed has its default. */
export const dryRunOptions = v.object({
  seed: v.fallback(v.number(), defaults.seed),
  players: v.fallback(v.number(), defaults.players),
  skew: v.fallback(v.number(), defaults.skew),
  latencyMs: v.fallback(v.number(), defaults.latencyMs),
  lateTaps: v.fallback(v.number(), defaults.lateTaps),
});

/** What is played: a copy of the blueprint at the start of the dry run. */
export const plan = v.object({
  name: v.string(),
  settings: sessionSettings,
  events: v.array(
    v.object({
      ...v.omit(blueprintEventSchema, [
        ...identity,
        "minWager",
        "maxWager",
        "picture",
        "explanation",
        "hostNote",
      ]).entries,
      // Dry runs of the release before have none.
      explanation: v.optional(v.string()),
    }),
  ),
});
export type Plan = v.InferOutput<typeof plan>;

/** Milliseconds since the start of the session. */
const at = v.number();
/** An action's number in the running order, from 1 on. */
const eventNumber = v.number();
const share = v.object({ wageredCents: cents, callsCount: v.number() });

const invariant = v.object({
  name: v.picklist(invariantNames),
  holds: v.boolean(),
  /** The first places where it does not hold, in words. */
  violations: v.array(v.string()),
});

const rushed = v.object({
  rule: v.picklist(rushedRules),
  event: eventNumber,
  /** What was measured: seconds, or percent of the taps. */
  measured: v.number(),
  /** From where on it is not rushed. */
  wanted: v.number(),
});

const timelineEntry = v.object({
  atMs: at,
  what: v.picklist(timelineKinds),
  /** Null for the session itself. */
  event: v.nullable(eventNumber),
});

const playedEvent = v.object({
  event: eventNumber,
  title: v.string(),
  trueLabel: v.string(),
  falseLabel: v.string(),
  visibleAtMs: v.nullable(at),
  openedAtMs: v.nullable(at),
  closedAtMs: v.nullable(at),
  resolvedAtMs: v.nullable(at),
  paidAtMs: v.nullable(at),
  result: v.nullable(v.picklist(results)),
  true: share,
  false: share,
  paidCents: cents,
  /** Wagers that were given back: a void, or nobody on one of the sides. */
  refundedCents: cents,
  tapsCount: v.number(),
  /** Taps that reached the server after the close. */
  lateCount: v.number(),
  /** Taps that were refused for another reason, such as an empty wallet. */
  refusedCount: v.number(),
});

const playedPlayer = v.object({
  player: v.number(),
  grantedCents: cents,
  wageredCents: cents,
  paidCents: cents,
  balanceCents: cents,
  callsCount: v.number(),
  wonCount: v.number(),
  lateCount: v.number(),
});

const playedCall = v.object({
  event: eventNumber,
  player: v.number(),
  side: v.picklist(sides),
  wagerCents: cents,
  tappedAtMs: at,
  arrivedAtMs: at,
  /** "placed", or the code of the refusal. */
  answer: v.string(),
  outcome: v.nullable(v.picklist(outcomes)),
  payoutCents: v.nullable(cents),
});
export type PlayedCall = v.InferOutput<typeof playedCall>;

/** The result of a dry run. It has no clock, no random id and no row id, so that equal runs are equal bytes. */
export const report = v.object({
  blueprint: v.object({ name: v.string(), eventsCount: v.number() }),
  options: dryRunOptions,
  summary: v.object({
    lengthMs: at,
    tapsCount: v.number(),
    callsCount: v.number(),
    lateCount: v.number(),
    refusedCount: v.number(),
    wageredCents: cents,
    paidCents: cents,
    refundedCents: cents,
    /** The sum of all entries of the ledger: always 0. */
    ledgerSumCents: cents,
  }),
  invariants: v.array(invariant),
  rushed: v.array(rushed),
  timeline: v.array(timelineEntry),
  events: v.array(playedEvent),
  players: v.array(playedPlayer),
  /** Every tap, in the order in which they reached the server. */
  calls: v.array(playedCall),
});
export type Report = v.InferOutput<typeof report>;

/** What a page shows of the report; the file has the taps too. */
export const shownReport = v.omit(report, ["calls"]);
export type ShownReport = v.InferOutput<typeof shownReport>;

export const dryRunSchema = v.object({
  id: rowId,
  blueprintId: rowId,
  blueprintName: v.string(),
  startedBy: v.string(),
  options: dryRunOptions,
  state: v.picklist(dryRunStates),
  /** How many actions have their result, of all. */
  eventsDone: v.number(),
  eventsCount: v.number(),
  callsCount: v.number(),
  /** How many other dry runs are before it. */
  aheadCount: v.number(),
  /** True if no worker has moved it for a while, although it is its turn. */
  stuck: v.boolean(),
  failure: v.nullable(v.picklist(dryRunFailures)),
  /** The blueprint was changed after the start of the dry run. */
  outdated: v.boolean(),
  createdAt: moment,
  endedAt: v.nullable(moment),
});
export type DryRunView = v.InferOutput<typeof dryRunSchema>;

export const dryRunAnswer = v.object({
  dryRun: v.object({ ...dryRunSchema.entries, report: v.nullable(shownReport) }),
});
export type DryRunAnswer = v.InferOutput<typeof dryRunAnswer>;
export const dryRunsAnswer = v.object({ dryRuns: v.array(dryRunSchema) });
