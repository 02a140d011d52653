import * as v from "valibot";
import { cents, dollars, listMeta, moment, rowId, textLine } from "#src/http/schemas.ts";
import { ADJUSTMENT_MAX, transactionKinds } from "./contract.ts";

export const walletMetrics = v.object({
  wagered: dollars,
  returned: dollars,
  net: dollars,
  /** net / wagered of what is resolved, 0.25 = 25 %; null before the first result. */
  roi: v.nullable(v.number()),
  pending: dollars,
  callsPlaced: v.number(),
  won: v.number(),
  lost: v.number(),
  refunded: v.number(),
  /** won / (won + lost); null before the first. */
  winRate: v.nullable(v.number()),
  currentStreak: v.number(),
  bestStreak: v.number(),
});

export const walletSchema = v.object({
  id: rowId,
  /** What is held included. */
  balance: dollars,
  balanceCents: cents,
  availableBalance: dollars,
  availableBalanceCents: cents,
  held: dollars,
  heldCents: cents,
  owed: dollars,
  owedCents: cents,
  /** The account's version: the newer of two wallets is the one with the higher number. */
  version: v.number(),
  metrics: walletMetrics,
});
export type WalletView = v.InferOutput<typeof walletSchema>;
export const walletAnswer = v.object({ wallet: walletSchema });

export const transactionSchema = v.object({
  /** Unique within the wallet; a hold is `call-12`, an entry `entry-34`. */
  id: v.string(),
  kind: v.picklist(transactionKinds),
  amount: dollars,
  amountCents: cents,
  balanceAfter: dollars,
  balanceAfterCents: cents,
  availableAfter: dollars,
  availableAfterCents: cents,
  callId: v.nullable(rowId),
  eventId: v.nullable(rowId),
  sessionId: v.nullable(rowId),
  paymentId: v.nullable(rowId),
  memo: v.string(),
  createdAt: moment,
});
export type TransactionView = v.InferOutput<typeof transactionSchema>;
/** `?user_id=3` on the list of transactions and on its file. */
export const ownerQuery = v.object({
  /** Whose; one's own where left out. Admins may ask for everybody's. */
  userId: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, "is invalid"), v.transform(Number))),
});
export type OwnerQuery = v.InferOutput<typeof ownerQuery>;
export const transactionsAnswer = v.object({ transactions: v.array(transactionSchema), meta: listMeta });

/** Body of POST /api/v1/users/:id/wallet/adjustments under `adjustment`. */
export const adjustWalletBody = v.strictObject({
  /** Dollars: above 0 in the player's favour, below 0 against it. */
  amount: v.pipe(
    v.number("is not a number"),
    v.minValue(-ADJUSTMENT_MAX),
    v.maxValue(ADJUSTMENT_MAX),
    v.check((amount) => amount !== 0),
    v.check((amount) => Math.round(amount * 100) / 100 === amount),
  ),
  /** The player reads it beside the transaction. */
  reason: textLine(500),
});
export type AdjustWalletBody = v.InferOutput<typeof adjustWalletBody>;
