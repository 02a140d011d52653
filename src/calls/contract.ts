import * as v from "valibot";
import {
  cents,
  dollars,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  listMeta,
  moment,
  rowId,
  textBlock,
} from "#src/http/contract.ts";
import { sides } from "#src/spots/contract.ts";
import { transactionShape, walletShape } from "#src/wallet/contract.ts";

/** Dollars wagered when nobody says how much. */
export const WAGER_DEFAULT = 1;
export const WAGER_MAX_CENTS = 100_000_000;
/** A call may be taken back until this long before the close. */
export const CANCEL_BEFORE_CLOSE_MS = 5_000;

export const callStates = ["placed", "closed", "resolved", "soft_destroyed"] as const;
export type CallState = (typeof callStates)[number];
/** The states in which a call counts as active: its wager is held. */
export const activeCallStates: readonly CallState[] = ["placed", "closed"];
export const callStateLabels: Record<CallState, string> = {
  placed: "Placed",
  closed: "Closed",
  resolved: "Resolved",
  soft_destroyed: "Destroyed",
};
export const outcomes = ["won", "lost", "refunded"] as const;

/** Body of POST /api/v1/calls under `call`, after its keys became camelCase. `userId` must be the player's own. */
export const placeCallBody = v.strictObject({
  spotId: rowId,
  userId: v.optional(rowId),
  /** Dollars. */
  wager: v.optional(v.number("is not a number"), WAGER_DEFAULT),
});
export type PlaceCallBody = v.InferOutput<typeof placeCallBody>;

export const callShape = v.object({
  id: rowId,
  userId: rowId,
  eventId: rowId,
  spotId: rowId,
  sessionId: v.nullable(rowId),
  sessionSlug: v.nullable(v.string()),
  sessionName: v.nullable(v.string()),
  eventTitle: v.string(),
  side: v.picklist(sides),
  label: v.string(),
  state: v.picklist(callStates),
  /** placed or closed */
  active: v.boolean(),
  /** The player may take it back now. */
  cancellable: v.boolean(),
  wager: dollars,
  wagerCents: cents,
  outcome: v.nullable(v.picklist(outcomes)),
  payout: v.nullable(dollars),
  payoutCents: v.nullable(cents),
  /** payout - wager once resolved */
  net: v.nullable(dollars),
  netCents: v.nullable(cents),
  placedAt: moment,
  resolvedAt: v.nullable(moment),
});
export type CallView = v.InferOutput<typeof callShape>;
export const callsAnswer = v.object({ calls: v.array(callShape), meta: listMeta });
/** `?session_id=friday&state=placed&active=true&outcome=won` on the index. */
export const callsQuery = v.object({
  /** A session's id or slug. */
  sessionId: v.optional(v.string()),
  state: v.optional(v.picklist(callStates, "is invalid")),
  /** Placed or closed. */
  active: v.optional(v.picklist(["true", "false"], "is invalid")),
  outcome: v.optional(v.picklist(outcomes, "is invalid")),
  /** The call that was placed under this key, for whoever got no answer. */
  idempotencyKey: v.optional(textBlock(IDEMPOTENCY_KEY_LENGTH_MAX)),
});
export type CallsQuery = v.InferOutput<typeof callsQuery>;
/** Placing and taking back also answer the wallet as it stands after it. */
export const callAnswer = v.object({ call: callShape, wallet: walletShape });
export type CallAnswer = v.InferOutput<typeof callAnswer>;

/** A call as one of the results of its player. */
export const resultShape = v.object({
  /** The call's own. */
  id: rowId,
  callId: rowId,
  eventId: rowId,
  eventTitle: v.string(),
  sessionSlug: v.nullable(v.string()),
  side: v.picklist(sides),
  wager: dollars,
  wagerCents: cents,
  outcome: v.picklist(outcomes),
  payout: dollars,
  payoutCents: cents,
  net: dollars,
  netCents: cents,
  resolvedAt: moment,
});
export type ResultView = v.InferOutput<typeof resultShape>;
export const resultsAnswer = v.object({ results: v.array(resultShape), meta: listMeta });

/** Why wagers came back instead of being played for. */
export const refundReasons = ["effective_at", "void", "no_winner", "no_loser"] as const;
export type RefundReason = (typeof refundReasons)[number];

/** One decision on an event, and what it made of the pool. Of several, each corrects the one before, and the last stands. */
export const settlementShape = v.object({
  /** 1 is the first; the others are corrections. */
  version: v.number(),
  result: v.picklist(["true", "false", "void"]),
  reason: v.nullable(v.string()),
  settledAt: moment,
  /** Calls placed at or after it were refunded. */
  effectiveAt: v.nullable(moment),
  /** What was played for; refunds for `effectiveAt` are not in it. */
  pool: dollars,
  poolCents: cents,
  winningPool: dollars,
  winningPoolCents: cents,
  refunded: dollars,
  refundedCents: cents,
  /** Why everybody was refunded; null where winners were paid. */
  refundReason: v.nullable(v.picklist(refundReasons)),
});
export type SettlementView = v.InferOutput<typeof settlementShape>;

/** How a payout comes about: pool x wager / winning pool, in whole cents, and perhaps one of those left over. */
export const formulaShape = v.object({
  poolCents: cents,
  winningPoolCents: cents,
  wagerCents: cents,
  floorCents: cents,
  /** 1 where the call's remainder was among the largest. */
  extraCents: cents,
});

/** A decision with what it paid this call, and what that moved: against the one before, or at first against the wager. */
const paidSettlement = v.object({
  ...settlementShape.entries,
  outcome: v.picklist(outcomes),
  payout: dollars,
  payoutCents: cents,
  change: dollars,
  changeCents: cents,
  /** Null where the call was refunded or lost. */
  formula: v.nullable(formulaShape),
});
export type PaidSettlementView = v.InferOutput<typeof paidSettlement>;

export const receiptShape = v.object({
  /** When calls were no longer taken: as planned, or earlier where the host closed. Null while that is open. */
  cutOffAt: v.nullable(moment),
  /** What is wagered on the two sides; null for a call of a round that was begun anew. */
  pool: v.nullable(v.object({ true: dollars, false: dollars, total: dollars })),
  labels: v.object({ true: v.string(), false: v.string() }),
  /** Oldest first; empty while there is no result. */
  settlements: v.array(paidSettlement),
  /** Everybody may read how the event was settled. */
  explained: v.boolean(),
  /** What the call did to the wallet, oldest first. */
  transactions: v.array(transactionShape),
});
export type ReceiptView = v.InferOutput<typeof receiptShape>;
export const receiptAnswer = v.object({ call: callShape, receipt: receiptShape });
export type ReceiptAnswer = v.InferOutput<typeof receiptAnswer>;
