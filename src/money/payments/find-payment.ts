import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { payments } from "#db/schema/payments.ts";
import { notFound } from "#src/base/refusal.ts";
import type { PaymentRow } from "./create-payment.ts";

/** The provider of a payment and its reference there. */
export type NamedPayment = { provider: string; reference: string };

/** Finds a payment by provider and reference; null for an unknown one. */
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
