import { sql } from "drizzle-orm";
import { type DatabasePool, inTransaction } from "#db/client.ts";
import { adjustWallet } from "#db/ledger/adjust-wallet.ts";
import { applyChargeback } from "#db/ledger/apply-chargeback.ts";
import { applyPayment } from "#db/ledger/apply-payment.ts";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { lockForGrant } from "#db/ledger/lock-for-grant.ts";
import { readWallet } from "#tests/support/books.ts";
import { unique } from "./stage.ts";

// The ways of money into a wallet and out of it other than by calls, as the verbs go them.

const PROVIDER = "test";
const CURRENCY = "USD";

/** A payment that was deposited, and how much of it is left to take back. */
export type Paid = { userId: number; reference: string; leftCents: number };

/** Deposits, and hears of it twice. */
export async function deposit(pool: DatabasePool, userId: number, amountCents: number): Promise<Paid> {
  const reference = `paid-${unique()}`;
  await pool.db.execute(sql`INSERT INTO payments (user_id, provider, reference, amount_cents, currency)
    VALUES (${userId}, ${PROVIDER}, ${reference}, ${amountCents}, ${CURRENCY})`);
  const notice = { provider: PROVIDER, reference, amountCents, currency: CURRENCY, providerRef: null };
  await applyPayment(pool.db, { ...notice, type: "succeeded" });
  await applyPayment(pool.db, { ...notice, type: "succeeded" });
  return { userId, reference, leftCents: amountCents };
}

/** Takes a part of a payment back. */
export async function chargeBack(pool: DatabasePool, paid: Paid, amountCents: number): Promise<void> {
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
  const order = { userId, amountCents, idempotencyKey: `adjust-${unique()}`, actorId: userId };
  await adjustWallet(pool.db, { ...order, reason: "Counted anew" });
}

/** Fills a wallet up, where less is available. @returns by how much. */
export function topUp(pool: DatabasePool, userId: number, toCents: number): Promise<number> {
  return inTransaction(pool.db, async (tx) => {
    await lockForGrant(tx, userId);
    const amountCents = toCents - (await readWallet(tx, userId)).availableCents;
    if (amountCents <= 0) return 0;
    await grantPlayMoney(tx, { userId, amountCents, idempotencyKey: `top-up-${unique()}`, reason: "Top-up" });
    return amountCents;
  });
}
