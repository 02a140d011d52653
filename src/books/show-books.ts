import { asc, desc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { listAccountTotals } from "#db/ledger/list-account-totals.ts";
import { bookChecks } from "#db/schema/books.ts";
import { chargebacks, payments } from "#db/schema/payments.ts";
import { users } from "#db/schema/users.ts";
import { dollarsOf } from "#src/http/money.ts";
import { listOpenFlags } from "#src/payments/list-flags.ts";
import { findSettling } from "#src/settlements/find-settling.ts";
import { pauseAfterMs } from "./check-books-when-due.ts";
import { presentBookCheck } from "./present-book-check.ts";
import type { AccountTotalView, BooksView, BookCheckView, WaitingRefundView } from "./schemas.ts";

/** Nobody looks at more at once; the rest comes once these are done. */
const SHOWN_MAX = 50;
/** A worker that is busy or starts anew is late, not away. */
const LATE_FACTOR = 4;

/** What the last check has found, and what the books hold now. It checks nothing itself. */
export async function showBooks(db: Queryable, now: Date): Promise<BooksView> {
  const [lastCheck, accounts, paymentFlags, waitingRefunds, settling] = await Promise.all([
    findLastCheck(db),
    findAccounts(db),
    listOpenFlags(db, { limit: SHOWN_MAX }),
    findWaitingRefunds(db),
    findSettling(db),
  ]);
  return { lastCheck, overdue: isOverdue(lastCheck, now), accounts, paymentFlags, waitingRefunds, settling };
}

async function findLastCheck(db: Queryable): Promise<BookCheckView | null> {
  const [found] = await db
    .select({ check: bookChecks, checkedBy: users.username })
    .from(bookChecks)
    .leftJoin(users, eq(users.id, bookChecks.actorId))
    .orderBy(desc(bookChecks.id))
    .limit(1);
  return found === undefined ? null : presentBookCheck(found.check, found.checkedBy);
}

function isOverdue(last: BookCheckView | null, now: Date): boolean {
  return (
    last !== null && now.getTime() - new Date(last.checkedAt).getTime() > LATE_FACTOR * pauseAfterMs(last)
  );
}

async function findAccounts(db: Queryable): Promise<AccountTotalView[]> {
  const totals = await listAccountTotals(db);
  return totals.map((total) => ({
    ...total,
    posted: dollarsOf(total.postedCents),
    held: dollarsOf(total.heldCents),
  }));
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
    .limit(SHOWN_MAX);
  return rows.map((row) => ({
    ...row,
    amount: dollarsOf(row.amountCents),
    createdAt: row.createdAt.toISOString(),
  }));
}
