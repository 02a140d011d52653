import * as v from "valibot";
import { outcomes } from "#src/calls/contract.ts";
import { cents, dollars, moment, rowId } from "#src/http/contract.ts";
import { sides } from "#src/spots/contract.ts";

export const results = ["true", "false", "void"] as const;
export type EventResult = (typeof results)[number];

/** How many of the calls of a decided event are paid so far. */
export const payingShape = v.object({ paidCallsCount: v.number(), callsCount: v.number() });
export type PayingView = v.InferOutput<typeof payingShape>;

/** An event with a result whose players are still being paid, for whoever watches over the whole house. */
export const settlingShape = v.object({
  eventId: rowId,
  eventTitle: v.string(),
  sessionSlug: v.nullable(v.string()),
  ...payingShape.entries,
  startedAt: moment,
});
export type SettlingView = v.InferOutput<typeof settlingShape>;

/** Calls of one side that wagered and were paid the same. */
export const payoutGroupShape = v.object({
  side: v.picklist(sides),
  outcome: v.picklist(outcomes),
  wagerCents: cents,
  payoutCents: cents,
  callsCount: v.number(),
});
export type PayoutGroupView = v.InferOutput<typeof payoutGroupShape>;

/** What was paid, held against the formula computed anew. */
export const recomputationShape = v.object({
  callsCount: v.number(),
  paid: dollars,
  paidCents: cents,
  differencesCount: v.number(),
  /** The first of them, by call. */
  differences: v.array(
    v.object({
      callId: rowId,
      mine: v.boolean(),
      wagerCents: cents,
      paidCents: cents,
      expectedCents: cents,
    }),
  ),
  checkedAt: moment,
});
export type RecomputationView = v.InferOutput<typeof recomputationShape>;
export const recomputationAnswer = v.object({ recomputation: recomputationShape });
