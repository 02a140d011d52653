import * as v from "valibot";
import { outcomes } from "#src/calls/contract.ts";
import { cents, dollars, moment, rowId } from "#src/http/schemas.ts";
import { sides } from "#src/spots/contract.ts";

/** How many of the calls of a decided event are paid so far. */
export const payingSchema = v.object({ paidCallsCount: v.number(), callsCount: v.number() });
export type PayingView = v.InferOutput<typeof payingSchema>;

/** An event with a result whose players are still being paid, for whoever watches over the whole house. */
export const settlingSchema = v.object({
  eventId: rowId,
  eventTitle: v.string(),
  sessionSlug: v.nullable(v.string()),
  ...payingSchema.entries,
  startedAt: moment,
});
export type SettlingView = v.InferOutput<typeof settlingSchema>;

/** Calls of one side that wagered and were paid the same. */
export const payoutGroupSchema = v.object({
  side: v.picklist(sides),
  outcome: v.picklist(outcomes),
  wagerCents: cents,
  payoutCents: cents,
  callsCount: v.number(),
});
export type PayoutGroupView = v.InferOutput<typeof payoutGroupSchema>;

/** What was paid, held against the formula computed anew. */
export const recomputationSchema = v.object({
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
export type RecomputationView = v.InferOutput<typeof recomputationSchema>;
export const recomputationAnswer = v.object({ recomputation: recomputationSchema });
