import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { asRefusal, LedgerRefusal } from "#db/ledger/refusal.ts";
import { payments } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { keyReused } from "#src/base/once.ts";
import { conflict } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { refuseSwitchedOff } from "#src/base/switches/refuse-switched-off.ts";
import { findBreak } from "#src/money/spending/break.ts";
import { refuseDeposit } from "#src/money/spending/refuse-deposit.ts";
import { providerOf } from "./provider-of.ts";

/** Less than db/sql/functions/deposit-room.sql counts a payment without a checkout. */
const FRESH_MS = 24 * 3_600_000;

export type PaymentRow = typeof payments.$inferSelect;

export type NewPayment = {
  viewer: { id: number; email: string | null };
  amountCents: number;
  /** Unique per player: the same key and amount return the first payment. */
  idempotencyKey: string;
};

/** A payment, and whether it was created before under the same key. */
type CreatedPayment = { payment: PaymentRow; replayed: boolean };

/**
 * Creates a payment. The player pays at `checkoutUrl`, and the provider's message then moves the money.
 *
 * The payment's reference is made from the player and the Idempotency-Key. It travels through the provider and comes back
 * in its messages, so a repeated request or message finds the same payment.
 * Whether the player may pay so much is judged by the statement that stores it (db/sql/triggers/judge-deposit.sql).
 * @throws Refusal 422 for a key that belongs to another payment, for more than a limit leaves, and on a break; 409 for one
 *   that is a day old and has no checkout; 503 where the provider cannot be reached; 403 where payments are turned off.
 */
export async function createPayment(deps: Deps, order: NewPayment): Promise<CreatedPayment> {
  const provider = providerOf(deps.env);
  await refuseSwitchedOff(deps.pool.db, "payments");
  const { payment, replayed } = await findOrInsert(deps, order, provider.name);
  if (payment.amountCents !== order.amountCents) throw keyReused("payment");
  if (payment.checkoutUrl !== null) return { payment, replayed };
  const { db } = deps.pool;
  if (replayed) await requireFresh(deps, payment);
  const { reference, amountCents, createdAt } = payment;
  const { email } = order.viewer;
  const url = await provider.beginCheckout({ reference, amountCents, email, createdAt });
  // Of two that were begun at once, players get one.
  const [begun] = await db
    .update(payments)
    .set({ checkoutUrl: sql`coalesce(${payments.checkoutUrl}, ${url})` })
    .where(eq(payments.id, payment.id))
    .returning();
  if (begun === undefined) throw new Error("the payment of a new checkout was not found");
  return { payment: begun, replayed };
}

/** The database judges an order once. One that is sent again begins no checkout on a break, and none when it is so old that no limit counts it. */
async function requireFresh(
  { env, pool: { db } }: Pick<Deps, "env" | "pool">,
  { userId, createdAt }: PaymentRow,
): Promise<void> {
  if ((await findBreak(db, userId)) !== null) throw await refuseDeposit(db, env, { userId });
  if (serverNow().getTime() - createdAt.getTime() > FRESH_MS)
    throw conflict("This payment was never begun, and is over. Load the page again for another one.");
}

async function findOrInsert(
  { env, pool }: Pick<Deps, "env" | "pool">,
  { viewer, amountCents, idempotencyKey }: NewPayment,
  provider: string,
): Promise<CreatedPayment> {
  // The same key of the same player gives the same reference, which cannot be guessed.
  const reference = `pay_${createHash("sha256").update(`${viewer.id}:${idempotencyKey}`).digest("hex").slice(0, 40)}`;
  const { siteLimitCents } = env.spending;
  const [inserted] = await pool.db
    .insert(payments)
    .values({ userId: viewer.id, provider, reference, amountCents, currency: "USD", siteLimitCents })
    .onConflictDoNothing()
    .returning()
    .catch(async (thrown: unknown) => {
      const error = asRefusal(thrown);
      const isJudged = error instanceof LedgerRefusal && ["on_break", "over_limit"].includes(error.code);
      throw isJudged ? await refuseDeposit(pool.db, env, { userId: viewer.id }) : error;
    });
  if (inserted !== undefined) return { payment: inserted, replayed: false };
  const [existing] = await pool.db
    .select()
    .from(payments)
    .where(and(eq(payments.provider, provider), eq(payments.reference, reference)));
  if (existing === undefined) throw new Error("the conflicting payment was not found");
  return { payment: existing, replayed: true };
}
