import { and, eq, sum } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { chargebacks, payments } from "#db/schema/payments.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { keyReused } from "#src/base/once.ts";
import { conflict, invalid, notFound } from "#src/base/refusal.ts";
import { currencyOf, dollarsOf } from "#src/http/money.ts";
import type { PaymentRow } from "./create-payment.ts";
import { findPayment } from "./find-payment.ts";
import type { ChargebackRow } from "./present-payment.ts";
import { providerOf } from "./provider-of.ts";
import { sendRefund } from "./send-refund.ts";

export type Refund = {
  actor: { id: number };
  reference: string;
  amountCents: number;
  reason: string;
  /** Unique per payment: the same key and terms are the same refund. */
  idempotencyKey: string;
};

/**
 * Pays (a part of) a payment back: first it is written down, so that nobody else can give the same money away, then the provider
 * is asked, and its answer moves the money. Sent again with the same key it goes on where it stopped.
 * @returns the payment as it then is, and whether it was asked for before under the same key.
 * @throws Refusal 404 for an unknown payment; 409 for one that was not paid, or that another provider took; 422 for more than is left, a key
 *   of another refund, or where the provider refuses; 503 where it does not answer: then it is asked again by itself.
 */
export async function refundPayment(
  deps: Deps,
  refund: Refund,
): Promise<{ payment: PaymentRow; replayed: boolean }> {
  const provider = providerOf(deps.env);
  const asked = await inTransaction(deps.pool.db, async (tx) => {
    const payment = await lockPayment(tx, refund.reference);
    const known = await findKnown(tx, payment, refund);
    if (known !== null) return { payment, chargeback: known, replayed: true };
    if (payment.provider !== provider.name) throw conflict("Another provider took this payment.");
    await requireLeft(tx, payment, refund.amountCents);
    return { payment, chargeback: await ask(tx, payment, refund), replayed: false };
  });
  await sendRefund(deps, asked);
  const { provider: name, reference } = asked.payment;
  const done = await findPayment(deps.pool.db, { provider: name, reference });
  if (done === null) throw notFound();
  return { payment: done, replayed: asked.replayed };
}

async function lockPayment(tx: Transaction, reference: string): Promise<PaymentRow> {
  const [payment] = await tx
    .select()
    .from(payments)
    .where(eq(payments.reference, reference))
    .for("no key update");
  if (payment === undefined) throw notFound();
  return payment;
}

async function findKnown(
  tx: Transaction,
  payment: PaymentRow,
  refund: Refund,
): Promise<ChargebackRow | null> {
  const { idempotencyKey, amountCents, reason } = refund;
  const [known] = await tx
    .select()
    .from(chargebacks)
    .where(and(eq(chargebacks.paymentId, payment.id), eq(chargebacks.idempotencyKey, idempotencyKey)));
  if (known === undefined) return null;
  if (known.amountCents === amountCents && known.reason === reason) return known;
  throw keyReused("refund");
}

/** What others have asked for and nobody has answered yet counts as gone. */
async function requireLeft(tx: Transaction, payment: PaymentRow, amountCents: number): Promise<void> {
  if (payment.state === "pending" || payment.state === "failed") throw conflict("This payment was not paid.");
  const [asked] = await tx
    .select({ cents: sum(chargebacks.amountCents) })
    .from(chargebacks)
    .where(and(eq(chargebacks.paymentId, payment.id), eq(chargebacks.state, "asked")));
  const leftCents = payment.amountCents - payment.refundedCents - Number(asked?.cents ?? 0);
  if (amountCents <= leftCents) return;
  const detail = `Of this payment ${currencyOf(Math.max(0, leftCents))} is left to refund.`;
  throw invalid({ amount: [`must be less than or equal to ${dollarsOf(leftCents)}`] }, { detail });
}

async function ask(tx: Transaction, payment: PaymentRow, refund: Refund): Promise<ChargebackRow> {
  const { actor, amountCents, reason, idempotencyKey } = refund;
  const [chargeback] = await tx
    .insert(chargebacks)
    .values({
      paymentId: payment.id,
      cause: "refund",
      amountCents,
      reason,
      idempotencyKey,
      actorId: actor.id,
    })
    .returning();
  if (chargeback === undefined) throw new Error("an insert answers its row");
  await writeAudit(tx, {
    actor,
    action: "refund_payment",
    subject: { type: "payment", id: payment.id },
    sessionId: null,
    before: { refundedCents: payment.refundedCents },
    after: { amountCents, chargebackId: chargeback.id },
    reason,
  });
  return chargeback;
}
