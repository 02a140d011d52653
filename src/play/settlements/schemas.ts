import * as v from "valibot";
import { outcomes, refundReasons } from "#db/lists/calls.ts";
import { sides } from "#db/lists/spots.ts";
import { cents, moment, money, rowId } from "#src/http/schemas.ts";

/** How many calls of a settlement are paid. */
export const payingSchema = v.object({ paidCallsCount: v.number(), callsCount: v.number() });
export type PayingView = v.InferOutput<typeof payingSchema>;

/** Whether everybody is paid; null without a result. Usually a result is paid within milliseconds. */
export const settlementProgress = v.nullable(v.picklist(["paying", "paid"]));

/** What a result pays each call, also one that is not paid yet. Not where calls came after the moment that decided it. */
export const payoutTermsSchema = v.object({
  /** By side. */
  outcomes: v.object({ true: v.picklist(outcomes), false: v.picklist(outcomes) }),
  /** Why all calls are refunded; null if winners are paid. */
  refundReason: v.nullable(v.picklist(refundReasons)),
  /**
   * A call that has not lost is paid, in whole cents rounded down: (`poolCents` x its wager + `addedCents`) / `sharedByCents`. `addedCents`
   * counts one more for a call with an id up to `lastCallId`. So the remaining cents go to the largest remainders, then to the lowest ids.
   */
  poolCents: cents,
  sharedByCents: cents,
  addedCents: cents,
  lastCallId: v.number(),
});

/** An event whose settlement is still being paid, for operators. */
export const settlingSchema = v.object({
  eventId: rowId,
  eventTitle: v.string(),
  sessionSlug: v.nullable(v.string()),
  ...payingSchema.entries,
  startedAt: moment,
});
export type SettlingView = v.InferOutput<typeof settlingSchema>;

/** Calls with the same side, wager and payout. */
export const payoutGroupSchema = v.object({
  side: v.picklist(sides),
  outcome: v.picklist(outcomes),
  wagerCents: cents,
  payoutCents: cents,
  callsCount: v.number(),
});
export type PayoutGroupView = v.InferOutput<typeof payoutGroupSchema>;

/** The payouts compared with a recomputation of the formula. */
export const recomputationSchema = v.object({
  callsCount: v.number(),
  ...money("paid"),
  differencesCount: v.number(),
  /** The first ones, by call. */
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
