import { count, desc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { payments } from "#db/schema/payments.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { readOwnerId } from "#src/wallet/read-owner.ts";
import type { OwnerQuery } from "#src/wallet/schemas.ts";
import { findPaymentViews } from "./find-payment-views.ts";
import type { PaymentsAnswer } from "./schemas.ts";

/**
 * Lists a user's payments, newest first, one page at a time.
 * @throws Refusal 404 for another user's payments, unless the viewer is an admin; and for an unknown user.
 */
export async function listPayments(
  db: Queryable,
  { viewer, query, page }: { viewer: Viewer; query: OwnerQuery; page: Page },
  now: Date,
): Promise<PaymentsAnswer> {
  const own = eq(payments.userId, await readOwnerId(db, viewer, query));
  const [rows, [counted]] = await Promise.all([
    db.select().from(payments).where(own).orderBy(desc(payments.id)).limit(page.perPage).offset(page.offset),
    db.select({ total: count() }).from(payments).where(own),
  ]);
  return { payments: await findPaymentViews(db, rows), meta: listMeta(page, counted?.total ?? 0, now) };
}
