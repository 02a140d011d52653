import * as v from "valibot";
import { callStates, outcomes, refundCauses, refundReasons } from "#db/lists/calls.ts";
import { results } from "#db/lists/events.ts";
import { sides } from "#db/lists/spots.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX, REASON_LENGTH_MAX } from "#src/http/contract.ts";
import { cents, dollars, listMeta, moment, money, rowId, textBlock } from "#src/http/schemas.ts";
import { transactionSchema, walletSchema } from "#src/money/wallet/schemas.ts";
import { poolSchema } from "#src/play/spots/schemas.ts";
import { WAGER_DEFAULT } from "./contract.ts";

/** Body of POST /api/v1/calls under `call`, after its keys became camelCase. `userId` must be the player's own. */
export const placeCallBody = v.strictObject({
  spotId: rowId,
  userId: v.optional(rowId),
  /** Dollars. */
  wager: v.optional(v.number("is not a number"), WAGER_DEFAULT),
  /** Asks the house to add what is missing to a call of at most $1.00. */
  onTheHouse: v.optional(v.boolean(), false),
});
export type PlaceCallBody = v.InferOutput<typeof placeCallBody>;

export const callSchema = v.object({
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
  cancellable: v.boolean(),
  ...money("wager"),
  outcome: v.nullable(v.picklist(outcomes)),
  /** Why a call was refunded without a result: its event was skipped or reset, or an admin took the call back. */
  refundedBy: v.nullable(v.picklist(refundCauses)),
  /** Why a result refunded the call, where the event itself says it: it is void, or nobody called the other side. */
  refundReason: v.nullable(v.picklist(refundReasons)),
  payout: v.nullable(dollars),
  payoutCents: v.nullable(cents),
  /** payout - wager once resolved or refunded */
  net: v.nullable(dollars),
  netCents: v.nullable(cents),
  placedAt: moment,
  resolvedAt: v.nullable(moment),
});
export type CallView = v.InferOutput<typeof callSchema>;
const listedCall = v.object({
  ...callSchema.entries,
  /** How many events of the session the player was right about in a row, up to this one; 0 where the call was not right. */
  streak: v.number(),
});
export type ListedCall = v.InferOutput<typeof listedCall>;
export const callsAnswer = v.object({ calls: v.array(listedCall), meta: listMeta });
/** `?session_id=friday&state=placed&active=true&outcome=won` on the index. */
export const callsQuery = v.object({
  /** A session's id or slug. */
  sessionId: v.optional(v.string()),
  eventId: v.optional(v.pipe(v.string(), v.toNumber(), rowId)),
  state: v.optional(v.picklist(callStates, "is invalid")),
  /** Placed or closed. */
  active: v.optional(v.picklist(["true", "false"], "is invalid")),
  outcome: v.optional(v.picklist(outcomes, "is invalid")),
  /** Finds the call that was placed under this key, for a client that got no response. */
  idempotencyKey: v.optional(textBlock(IDEMPOTENCY_KEY_LENGTH_MAX)),
});
export type CallsQuery = v.InferOutput<typeof callsQuery>;
/** `?reason=Placed by mistake` when an admin takes back another player's call. The player reads it. */
export const cancelCallQuery = v.object({ reason: v.optional(textBlock(REASON_LENGTH_MAX)) });
/** Placing a call also returns the wallet after it. */
export const callAnswer = v.object({ call: callSchema, wallet: walletSchema });
export type CallAnswer = v.InferOutput<typeof callAnswer>;

/** A resolved call in a player's list of results. */
export const resultSchema = v.object({
  id: rowId,
  callId: rowId,
  eventId: rowId,
  eventTitle: v.string(),
  sessionSlug: v.nullable(v.string()),
  side: v.picklist(sides),
  ...money("wager"),
  outcome: v.picklist(outcomes),
  ...money("payout", "net"),
  resolvedAt: moment,
});
export type ResultView = v.InferOutput<typeof resultSchema>;
export const resultsAnswer = v.object({ results: v.array(resultSchema), meta: listMeta });

/** A settlement of an event. Each one corrects the one before, and the last is in force. */
export const settlementSchema = v.object({
  /** 1 is the first; the others are corrections. */
  version: v.number(),
  result: v.picklist(results),
  reason: v.nullable(v.string()),
  settledAt: moment,
  /** Calls placed at or after it were refunded. */
  effectiveAt: v.nullable(moment),
  /** The wagers that count; refunds because of `effectiveAt` are not in it. */
  ...money("pool", "winningPool", "refunded"),
  /** Why everybody was refunded; null if winners were paid. */
  refundReason: v.nullable(v.picklist(refundReasons)),
});
export type SettlementView = v.InferOutput<typeof settlementSchema>;

/** How a payout was computed: pool x wager / winning pool in whole cents, plus at most one of the remaining cents. */
export const formulaSchema = v.object({
  poolCents: cents,
  winningPoolCents: cents,
  wagerCents: cents,
  floorCents: cents,
  /** 1 if the call's remainder was among the largest. */
  extraCents: cents,
});

/** A settlement with its payout for this call, and the change against the settlement before; for the first, against the wager. */
export const paidSettlement = v.object({
  ...settlementSchema.entries,
  outcome: v.picklist(outcomes),
  ...money("payout", "change"),
  /** Null if the call was refunded or lost. */
  formula: v.nullable(formulaSchema),
});
export type PaidSettlementView = v.InferOutput<typeof paidSettlement>;

export const receiptSchema = v.object({
  /** When the event closed: as planned, or earlier by the host. Null while that is undecided. */
  cutOffAt: v.nullable(moment),
  /** The wagers on the two sides; null for a call of an earlier round. */
  pool: v.nullable(poolSchema),
  labels: v.object({ true: v.string(), false: v.string() }),
  /** Oldest first; empty while there is no result. */
  settlements: v.array(paidSettlement),
  /** True if the settlement of the event is public. */
  explained: v.boolean(),
  /** What explains the result of its question. Left out without one, and by processes of the release before. */
  explanation: v.optional(v.string()),
  /** The transactions of the call on the wallet, oldest first. */
  transactions: v.array(transactionSchema),
});
export type ReceiptView = v.InferOutput<typeof receiptSchema>;
export const receiptAnswer = v.object({ call: callSchema, receipt: receiptSchema });
export type ReceiptAnswer = v.InferOutput<typeof receiptAnswer>;
