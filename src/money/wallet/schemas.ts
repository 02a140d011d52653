import * as v from "valibot";
import { transactionKinds } from "#db/lists/wallet.ts";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import { inWholeCents, listMeta, moment, money, rowId, textLine } from "#src/http/schemas.ts";
import { ADJUSTMENT_MAX } from "./contract.ts";

export const walletMetrics = v.object({
  ...money("wagered", "returned", "net"),
  /** net / wagered of resolved calls: 0.25 is 25 %. Null before the first result. */
  roi: v.nullable(v.number()),
  ...money("pending"),
  callsPlaced: v.number(),
  won: v.number(),
  lost: v.number(),
  refunded: v.number(),
  /** won / (won + lost); null before the first result. */
  winRate: v.nullable(v.number()),
  currentStreak: v.number(),
  bestStreak: v.number(),
});

export const walletSchema = v.object({
  id: rowId,
  /** Includes what is held. */
  ...money("balance", "availableBalance", "held", "owed"),
  /** Of two versions of a wallet, the one with the higher number is newer. */
  version: v.number(),
  metrics: walletMetrics,
});
export type WalletView = v.InferOutput<typeof walletSchema>;
export const walletAnswer = v.object({ wallet: walletSchema });

export const transactionSchema = v.object({
  /** Unique within the wallet: `call-12` for a hold, `entry-34` for a ledger entry. */
  id: v.string(),
  kind: v.picklist(transactionKinds),
  ...money("amount", "balanceAfter", "availableAfter"),
  callId: v.nullable(rowId),
  eventId: v.nullable(rowId),
  sessionId: v.nullable(rowId),
  paymentId: v.nullable(rowId),
  memo: v.string(),
  createdAt: moment,
});
export type TransactionView = v.InferOutput<typeof transactionSchema>;
/** `?user_id=3` on lists of transactions and payments, and on the CSV file. */
export const ownerQuery = v.object({
  /** By default the viewer. Admins may name any user. */
  userId: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, "is invalid"), v.transform(Number))),
});
export type OwnerQuery = v.InferOutput<typeof ownerQuery>;
export const transactionsAnswer = v.object({ transactions: v.array(transactionSchema), meta: listMeta });

export const adjustWalletBody = v.strictObject({
  /** Dollars. Above 0 adds to the wallet, below 0 takes from it. */
  amount: v.pipe(
    v.number("is not a number"),
    v.minValue(-ADJUSTMENT_MAX),
    v.maxValue(ADJUSTMENT_MAX),
    v.check((amount) => amount !== 0),
    inWholeCents,
  ),
  /** Shown to the player with the transaction. */
  reason: textLine(REASON_LENGTH_MAX),
});
