import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { payments } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { keyReused } from "#src/base/once.ts";
import { providerOf } from "./provider-of.ts";

export type PaymentRow = typeof payments.$inferSelect;

export type NewPayment = {
  viewer: { id: number; email: string | null };
  amountCents: number;
  /** Unique per player: the same key and amount answer the first payment again. */
  idempotencyKey: string;
};

/** A payment, and whether it was begun before under the same key. */
type BegunPayment = { payment: PaymentRow; replayed: boolean };

/**
 * Begins a payment: the player pays at the address in `checkoutUrl`, and what the provider then says moves the money.
 * @throws Refusal 422 for a key that belongs to another payment, 503 where the provider cannot be reached.
 */
export async function createPayment(deps: Deps, asked: NewPayment): Promise<BegunPayment> {
  const provider = providerOf(deps.env);
  const { payment, replayed } = await findOrInsert(deps, asked, provider.name);
  if (payment.amountCents !== asked.amountCents) throw keyReused("payment");
  if (payment.checkoutUrl !== null) return { payment, replayed };
  const { reference, amountCents } = payment;
  const checkoutUrl = await provider.beginCheckout({ reference, amountCents, email: asked.viewer.email });
  await deps.pool.db.update(payments).set({ checkoutUrl }).where(eq(payments.id, payment.id));
  return { payment: { ...payment, checkoutUrl }, replayed };
}

async function findOrInsert(
  { pool }: Pick<Deps, "pool">,
  { viewer, amountCents, idempotencyKey }: NewPayment,
  provider: string,
): Promise<BegunPayment> {
  const reference = referenceFor(viewer, idempotencyKey);
  const [made] = await pool.db
    .insert(payments)
    .values({ userId: viewer.id, provider, reference, amountCents, currency: "USD" })
    .onConflictDoNothing()
    .returning();
  if (made !== undefined) return { payment: made, replayed: false };
  const [known] = await pool.db
    .select()
    .from(payments)
    .where(and(eq(payments.provider, provider), eq(payments.reference, reference)));
  if (known === undefined) throw new Error("a payment that is in the way is there");
  return { payment: known, replayed: true };
}

/** The same key of the same player leads to the same payment, and nobody can guess another's. */
function referenceFor({ id }: { id: number }, idempotencyKey: string): string {
  return `pay_${createHash("sha256").update(`${id}:${idempotencyKey}`).digest("hex").slice(0, 40)}`;
}
