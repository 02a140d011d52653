import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { chargebacks, payments } from "#db/schema/payments.ts";
import { notFound } from "#src/base/refusal.ts";
import { listMeta, type Page, totalOf } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import { readOwnerId } from "#src/money/wallet/list-transactions.ts";
import type { OwnerQuery } from "#src/money/wallet/schemas.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import type { PaymentRow } from "./create-payment.ts";
import { chargebackSchema, paymentSchema, type PaymentsAnswer, type PaymentView } from "./schemas.ts";

const findPage = prepareQuery((db) =>
  db
    .select()
    .from(payments)
    .where(eq(payments.userId, sql.placeholder("userId")))
    .orderBy(desc(payments.id))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .prepare("list_payments"),
);

export async function findPaymentViews(db: Queryable, rows: readonly PaymentRow[]): Promise<PaymentView[]> {
  if (rows.length === 0) return [];
  const rowsOfChargebacks = await db
    .select()
    .from(chargebacks)
    .where(
      inArray(
        chargebacks.paymentId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(chargebacks.id));
  const byPayment = Map.groupBy(rowsOfChargebacks, ({ paymentId }) => paymentId);
  return rows.map((row) => presentPayment(row, byPayment.get(row.id) ?? []));
}

export async function findPaymentView(db: Queryable, row: PaymentRow): Promise<PaymentView> {
  const [view] = await findPaymentViews(db, [row]);
  if (view === undefined) throw new Error("presenting one payment returned no view");
  return view;
}

/**
 * Lists a user's payments, newest first, one page at a time.
 * @throws Refusal 404 for another user's payments, unless the viewer is an admin; and for an unknown user.
 */
export async function listPayments(
  db: Queryable,
  { viewer, query, page }: { viewer: Viewer; query: OwnerQuery; page: Page },
  now: Date,
): Promise<PaymentsAnswer> {
  const userId = await readOwnerId(db, viewer, query);
  const rows = await findPage(db).execute({ userId, limit: page.perPage, offset: page.offset });
  const [views, total] = await Promise.all([
    findPaymentViews(db, rows),
    totalOf(page, rows.length, () => db.$count(payments, eq(payments.userId, userId))),
  ]);
  return { payments: views, meta: listMeta(page, total, now) };
}

export type ChargebackRow = typeof chargebacks.$inferSelect;

function presentPayment(payment: PaymentRow, chargebackRows: readonly ChargebackRow[]): PaymentView {
  const chargebacks = chargebackRows.map((row) => present(chargebackSchema, row));
  return present(paymentSchema, { ...payment, chargebacks, currency: "USD" });
}

export type NamedPayment = { provider: string; reference: string };

export async function findPayment(
  db: Queryable,
  { provider, reference }: NamedPayment,
): Promise<PaymentRow | null> {
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.provider, provider), eq(payments.reference, reference)));
  return payment ?? null;
}

/**
 * Finds one of the player's own payments by its reference.
 * @throws Refusal 404 for an unknown payment and for another player's.
 */
export async function findOwnPayment(
  db: Queryable,
  { viewer, reference }: { viewer: { id: number }; reference: string },
): Promise<PaymentRow> {
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.reference, reference), eq(payments.userId, viewer.id)));
  if (payment === undefined) throw notFound();
  return payment;
}

export async function findOwnPaymentView(
  db: Queryable,
  asked: { viewer: { id: number }; reference: string },
): Promise<PaymentView> {
  return findPaymentView(db, await findOwnPayment(db, asked));
}
