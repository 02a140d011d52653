import { sql } from "drizzle-orm";
import { type DatabasePool, inTransaction } from "#db/client.ts";
import { applyChargeback, applyPayment } from "#db/ledger/apply-payment.ts";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { lockForGrant } from "#db/ledger/locks.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { readWallet } from "#tests/support/books.ts";
import { unique } from "./fixtures.ts";

// Moves money into and out of a wallet without calls, as the verbs do.

const PROVIDER = "test";
const CURRENCY = "USD";

/** A deposited payment, and how much of it can still be charged back. */
export type Deposit = { userId: number; reference: string; leftCents: number };

/** Deposits a payment, with the provider's message delivered twice. */
export async function deposit(pool: DatabasePool, userId: number, amountCents: number): Promise<Deposit> {
  const reference = `paid-${unique()}`;
  await pool.db.execute(sql`INSERT INTO payments (user_id, provider, reference, amount_cents, currency)
    VALUES (${userId}, ${PROVIDER}, ${reference}, ${amountCents}, ${CURRENCY})`);
  const notice = { provider: PROVIDER, reference, amountCents, currency: CURRENCY, providerRef: null };
  await applyPayment(pool.db, { ...notice, type: "succeeded" });
  await applyPayment(pool.db, { ...notice, type: "succeeded" });
  return { userId, reference, leftCents: amountCents };
}

/** Charges back a part of a payment. */
export async function chargeBack(pool: DatabasePool, paid: Deposit, amountCents: number): Promise<void> {
  await applyChargeback(pool.db, {
    provider: PROVIDER,
    reference: paid.reference,
    chargebackRef: `dispute-${unique()}`,
    chargebackId: null,
    cause: "dispute",
    state: "taken",
    amountCents,
    currency: CURRENCY,
  });
}

export async function adjust(pool: DatabasePool, userId: number, amountCents: number): Promise<void> {
  const order = { userId, amountCents, idempotencyKey: `adjust-${unique()}`, actorId: userId + 1 };
  await adjustWithAudit(pool.db, { ...order, reason: "Recounted" });
}

/** Tops a wallet up to an available balance. @returns by how much. */
export function topUp(pool: DatabasePool, userId: number, toCents: number): Promise<number> {
  return inTransaction(pool.db, async (tx) => {
    await lockForGrant(tx, userId);
    const amountCents = toCents - (await readWallet(tx, userId)).availableCents;
    if (amountCents <= 0) return 0;
    await grantPlayMoney(tx, {
      userId,
      amountCents,
      idempotencyKey: `robot-${userId}-${unique()}`,
      reason: "Top-up",
    });
    return amountCents;
  });
}
