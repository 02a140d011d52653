import * as v from "valibot";
import { accountKinds } from "#db/lists/accounts.ts";
import { moment, money, rowId } from "#src/http/schemas.ts";
import { paymentFlagSchema } from "#src/money/payments/schemas.ts";
import { settlingSchema } from "#src/play/settlements/schemas.ts";

const findingRow = v.object({
  label: v.string(),
  detail: v.string(),
  userId: v.nullable(rowId),
  eventId: v.nullable(rowId),
  callId: v.nullable(rowId),
  /** The session of the event; null without an event. */
  sessionSlug: v.nullable(v.string()),
});
export type FindingRow = v.InferOutput<typeof findingRow>;

export const findingSchema = v.object({
  /** What the check counts. Example: "journals that do not balance". */
  name: v.string(),
  /** How many rows are wrong; 0 is good. */
  bad: v.number(),
  rows: v.array(findingRow),
});
export type FindingView = v.InferOutput<typeof findingSchema>;

export const bookCheckSchema = v.object({
  id: rowId,
  checkedAt: moment,
  durationMs: v.number(),
  /** The user who requested it; null for the schedule. */
  checkedBy: v.nullable(v.string()),
  /** How many of the checks found something. */
  differencesCount: v.number(),
  findings: v.array(findingSchema),
});
export type BookCheckView = v.InferOutput<typeof bookCheckSchema>;
export const bookCheckAnswer = v.object({ bookCheck: bookCheckSchema });

export const accountTotalSchema = v.object({
  kind: v.picklist(accountKinds),
  accountsCount: v.number(),
  ...money("posted", "held"),
});
export type AccountTotalView = v.InferOutput<typeof accountTotalSchema>;

/** A refund that the provider has not answered yet. */
export const waitingRefundSchema = v.object({
  chargebackId: rowId,
  reference: v.string(),
  userId: rowId,
  ...money("amount"),
  createdAt: moment,
});
export type WaitingRefundView = v.InferOutput<typeof waitingRefundSchema>;

const booksSchema = v.object({
  /** Null before the first check. */
  lastCheck: v.nullable(bookCheckSchema),
  /** True where the schedule has missed its checks. */
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
