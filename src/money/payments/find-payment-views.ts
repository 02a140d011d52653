import { asc, inArray } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { chargebacks } from "#db/schema/payments.ts";
import type { PaymentRow } from "./create-payment.ts";
import { presentPayment } from "./present-payment.ts";
import type { PaymentView } from "./schemas.ts";

/** Presents payments with their chargebacks, in the given order. */
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

/** Presents one payment with its chargebacks. */
export async function findPaymentView(db: Queryable, row: PaymentRow): Promise<PaymentView> {
  const [view] = await findPaymentViews(db, [row]);
  if (view === undefined) throw new Error("presenting one payment returned no view");
  return view;
}
