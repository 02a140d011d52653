import * as v from "valibot";
import { cents, dollars, moment, rowId } from "#src/http/schemas.ts";
import { paymentFlagSchema } from "#src/payments/schemas.ts";
import { settlingSchema } from "#src/settlements/schemas.ts";

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

export const findingSchema = v.object({
  /** What is counted: "journals that do not balance". */
  name: v.string(),
  /** 0 where all is as it must be. */
  bad: v.number(),
  /** The first of what is wrong. */
  rows: v.array(findingRow),
});
export type FindingView = v.InferOutput<typeof findingSchema>;

/** One time that the books were checked. */
export const bookCheckSchema = v.object({
  id: rowId,
  checkedAt: moment,
  durationMs: v.number(),
  /** Who asked for it; null: the schedule. */
  checkedBy: v.nullable(v.string()),
  /** How many of the checks found something. */
  differencesCount: v.number(),
  findings: v.array(findingSchema),
});
export type BookCheckView = v.InferOutput<typeof bookCheckSchema>;
export const bookCheckAnswer = v.object({ bookCheck: bookCheckSchema });

export const accountTotalSchema = v.object({
  kind: v.picklist(["wallet", "receivable", "house", "promo", "external", "clearing"]),
  accountsCount: v.number(),
  posted: dollars,
  postedCents: cents,
  held: dollars,
  heldCents: cents,
});
export type AccountTotalView = v.InferOutput<typeof accountTotalSchema>;

/** A refund that was asked for and that the provider has not answered. */
export const waitingRefundSchema = v.object({
  chargebackId: rowId,
  reference: v.string(),
  userId: rowId,
  amount: dollars,
  amountCents: cents,
  createdAt: moment,
});
export type WaitingRefundView = v.InferOutput<typeof waitingRefundSchema>;

export const booksSchema = v.object({
  /** The last time that the books were checked; null before the first. */
  lastCheck: v.nullable(bookCheckSchema),
  /** True where the schedule should have checked them since. */
  overdue: v.boolean(),
  accounts: v.array(accountTotalSchema),
  paymentFlags: v.array(paymentFlagSchema),
  waitingRefunds: v.array(waitingRefundSchema),
  /** Events with a result whose players are still being paid. */
  settling: v.array(settlingSchema),
});
export type BooksView = v.InferOutput<typeof booksSchema>;
export const booksAnswer = v.object({ books: booksSchema });
export type BooksAnswer = v.InferOutput<typeof booksAnswer>;
