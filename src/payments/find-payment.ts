import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { payments } from "#db/schema/payments.ts";
import { notFound } from "#src/base/refusal.ts";
import type { PaymentRow } from "./create-payment.ts";

/** A payment as its provider names it. */
export type NamedPayment = { provider: string; reference: string };

/** The payment that a provider means; null where there is none. */
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
 * A player's own payment by its reference.
 * @throws Refusal 404 for an unknown one, and for somebody else's.
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
