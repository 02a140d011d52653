import { asc, desc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { listAccountTotals } from "#db/ledger/list-book-checks.ts";
import { bookChecks } from "#db/schema/books.ts";
import { chargebacks, payments } from "#db/schema/payments.ts";
import { users } from "#db/schema/users.ts";
import { present } from "#src/http/present.ts";
import { listOpenFlags } from "#src/money/payments/flag-message.ts";
import { findSettling } from "#src/play/settlements/find-settling.ts";
import { pauseAfterMs } from "./check-books-when-due.ts";
import { presentBookCheck } from "./present-book-check.ts";
import {
  accountTotalSchema,
  type AccountTotalView,
  type BookCheckView,
  type BooksView,
  waitingRefundSchema,
  type WaitingRefundView,
} from "./schemas.ts";

/** The most flags and refunds to return. The others follow when these are done. */
const ROWS_MAX = 50;
/** A busy or restarting worker is late by less than this many pauses. */
const OVERDUE_FACTOR = 4;

/** Reads the last check's findings and the current totals. It checks nothing itself. */
export async function showBooks(db: Queryable, now: Date): Promise<BooksView> {
  const [lastCheck, accounts, paymentFlags, waitingRefunds, settling] = await Promise.all([
    findLastCheck(db),
    findAccounts(db),
    listOpenFlags(db, { limit: ROWS_MAX }),
    findWaitingRefunds(db),
    findSettling(db),
  ]);
  return { lastCheck, overdue: isOverdue(lastCheck, now), accounts, paymentFlags, waitingRefunds, settling };
}

/** The last check of the books; null before the first. */
export async function findLastCheck(db: Queryable): Promise<BookCheckView | null> {
  const [row] = await db
    .select({ check: bookChecks, checkedBy: users.username })
    .from(bookChecks)
    .leftJoin(users, eq(users.id, bookChecks.actorId))
    .orderBy(desc(bookChecks.id))
    .limit(1);
  return row === undefined ? null : presentBookCheck(row.check, row.checkedBy);
}

function isOverdue(last: BookCheckView | null, now: Date): boolean {
  return (
    last !== null && now.getTime() - new Date(last.checkedAt).getTime() > OVERDUE_FACTOR * pauseAfterMs(last)
  );
}

async function findAccounts(db: Queryable): Promise<AccountTotalView[]> {
  const totals = await listAccountTotals(db);
  return totals.map((total) => present(accountTotalSchema, total));
}

async function findWaitingRefunds(db: Queryable): Promise<WaitingRefundView[]> {
  const rows = await db
    .select({
      chargebackId: chargebacks.id,
      reference: payments.reference,
      userId: payments.userId,
      amountCents: chargebacks.amountCents,
      createdAt: chargebacks.createdAt,
    })
    .from(chargebacks)
    .innerJoin(payments, eq(payments.id, chargebacks.paymentId))
    .where(eq(chargebacks.state, "asked"))
    .orderBy(asc(chargebacks.id))
    .limit(ROWS_MAX);
  return rows.map((row) => present(waitingRefundSchema, row));
}
