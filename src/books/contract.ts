import * as v from "valibot";
import { cents, dollars, moment, rowId } from "#src/http/contract.ts";
import { paymentFlagShape } from "#src/payments/contract.ts";
import { settlingShape } from "#src/settlements/contract.ts";

/** One thing that a check has found wrong. */
export const findingRow = v.object({
  label: v.string(),
  detail: v.string(),
  userId: v.nullable(rowId),
  eventId: v.nullable(rowId),
  callId: v.nullable(rowId),
  /** Of the event; null without one. */
  sessionSlug: v.nullable(v.string()),
});
export type FindingRow = v.InferOutput<typeof findingRow>;

export const findingShape = v.object({
  /** What is counted: "journals that do not balance". */
  name: v.string(),
  /** 0 where all is as it must be. */
  bad: v.number(),
  /** The first of what is wrong. */
  rows: v.array(findingRow),
});
export type FindingView = v.InferOutput<typeof findingShape>;

/** One time that the books were checked. */
export const bookCheckShape = v.object({
  id: rowId,
  checkedAt: moment,
  durationMs: v.number(),
  /** Who asked for it; null: the schedule. */
  checkedBy: v.nullable(v.string()),
  /** How many of the checks found something. */
  differencesCount: v.number(),
  findings: v.array(findingShape),
});
export type BookCheckView = v.InferOutput<typeof bookCheckShape>;
export const bookCheckAnswer = v.object({ bookCheck: bookCheckShape });

export const accountTotalShape = v.object({
  kind: v.picklist(["wallet", "receivable", "house", "promo", "external", "clearing"]),
  accountsCount: v.number(),
  posted: dollars,
  postedCents: cents,
  held: dollars,
  heldCents: cents,
});
export type AccountTotalView = v.InferOutput<typeof accountTotalShape>;

/** A refund that was asked for and that the provider has not answered. */
export const waitingRefundShape = v.object({
  chargebackId: rowId,
  reference: v.string(),
  userId: rowId,
  amount: dollars,
  amountCents: cents,
  createdAt: moment,
});
export type WaitingRefundView = v.InferOutput<typeof waitingRefundShape>;

export const booksShape = v.object({
  /** The last time that the books were checked; null before the first. */
  lastCheck: v.nullable(bookCheckShape),
  /** True where the schedule should have checked them since. */
  overdue: v.boolean(),
  accounts: v.array(accountTotalShape),
  paymentFlags: v.array(paymentFlagShape),
  waitingRefunds: v.array(waitingRefundShape),
  /** Events with a result whose players are still being paid. */
  settling: v.array(settlingShape),
});
export type BooksView = v.InferOutput<typeof booksShape>;
export const booksAnswer = v.object({ books: booksShape });
export type BooksAnswer = v.InferOutput<typeof booksAnswer>;
