import { asc, inArray } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { chargebacks } from "#db/schema/payments.ts";
import type { PaymentRow } from "./create-payment.ts";
import { presentPayment } from "./present-payment.ts";
import type { PaymentView } from "./schemas.ts";

/** Payments with all that was taken back of them, in the order given. */
export async function findPaymentViews(db: Queryable, rows: readonly PaymentRow[]): Promise<PaymentView[]> {
  if (rows.length === 0) return [];
  const taken = await db
    .select()
    .from(chargebacks)
    .where(
      inArray(
        chargebacks.paymentId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(chargebacks.id));
  const byPayment = Map.groupBy(taken, ({ paymentId }) => paymentId);
  return rows.map((row) => presentPayment(row, byPayment.get(row.id) ?? []));
}

/** The same for one. */
export async function findPaymentView(db: Queryable, row: PaymentRow): Promise<PaymentView> {
  const [view] = await findPaymentViews(db, [row]);
  if (view === undefined) throw new Error("one payment has one view");
  return view;
}
