import { and, asc, eq, isNull, or, sql, sum } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { applyChargeback } from "#db/ledger/apply-payment.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { chargebacks, payments } from "#db/schema/payments.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { PROCEED_ON_TIMEOUT } from "#src/base/lock.ts";
import { keyReused } from "#src/base/once.ts";
import { conflict, invalid, notFound } from "#src/base/refusal.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";
import { formatMoney } from "#src/http/contract.ts";
import { dollarsOf } from "#src/http/money.ts";
import { withWallet } from "#src/money/wallet/with-wallet.ts";
import type { PaymentRow } from "./create-payment.ts";
import { type ChargebackRow, findPayment } from "./find-payment-views.ts";
import { closeFlag, raiseFlag } from "./flag-message.ts";
import { notifyPlayer } from "./notify-player.ts";
import { providerOf } from "./provider-of.ts";
import type { ChargebackUpdate } from "./provider.ts";

type Refund = {
  actor: { id: number };
  reference: string;
  amountCents: number;
  reason: string;
  /** Unique per payment: the same key and terms are the same refund. */
  idempotencyKey: string;
};

/**
 * Refunds a payment, in full or in part. The refund is stored first, so that its amount counts as gone for other refunds.
 * Then the order goes to the provider, and its answer moves the money. A request with the same key continues where the first
 * one stopped.
 * @returns the payment afterwards, and whether the refund was replayed under the same key.
 * @throws Refusal 404 for an unknown payment; 409 for one that was not paid or that another provider took; 422 for more than
 *   is left, a key of another refund, or a refund that the provider refuses; 503 where the provider does not answer: then
 *   the schedule sends the refund again.
 */
export async function refundPayment(
  deps: Deps,
  refund: Refund,
): Promise<{ payment: PaymentRow; replayed: boolean }> {
  const provider = providerOf(deps.env);
  const pending = await inTransaction(deps.pool.db, async (tx) => {
    const payment = await lockPayment(tx, refund.reference);
    const existing = await findExisting(tx, payment, refund);
    if (existing !== null) return { payment, chargeback: existing, replayed: true };
    if (payment.provider !== provider.name) throw conflict("Another provider took this payment.");
    await requireRemaining(tx, payment, refund.amountCents);
    return { payment, chargeback: await insertRefund(tx, payment, refund), replayed: false };
  });
  await sendRefund(deps, pending);
  const { provider: name, reference } = pending.payment;
  const refunded = await findPayment(deps.pool.db, { provider: name, reference });
  if (refunded === null) throw notFound();
  return { payment: refunded, replayed: pending.replayed };
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

async function findExisting(
  tx: Transaction,
  payment: PaymentRow,
  refund: Refund,
): Promise<ChargebackRow | null> {
  const { idempotencyKey, amountCents, reason } = refund;
  const [existing] = await tx
    .select()
    .from(chargebacks)
    .where(and(eq(chargebacks.paymentId, payment.id), eq(chargebacks.idempotencyKey, idempotencyKey)));
  if (existing === undefined) return null;
  if (existing.amountCents === amountCents && existing.reason === reason) return existing;
  throw keyReused("refund");
}

/** Refuses more than is left of a payment. Refunds that the provider has not answered yet count as refunded. */
async function requireRemaining(tx: Transaction, payment: PaymentRow, amountCents: number): Promise<void> {
  if (payment.state === "pending" || payment.state === "failed") throw conflict("This payment was not paid.");
  const [unanswered] = await tx
    .select({ cents: sum(chargebacks.amountCents) })
    .from(chargebacks)
    .where(and(eq(chargebacks.paymentId, payment.id), eq(chargebacks.state, "asked")));
  const leftCents = payment.amountCents - payment.refundedCents - Number(unanswered?.cents ?? 0);
  if (amountCents <= leftCents) return;
  const detail = `Of this payment ${formatMoney(Math.max(0, leftCents))} is left to refund.`;
  throw invalid({ amount: [`must be less than or equal to ${dollarsOf(leftCents)}`] }, { detail });
}

async function insertRefund(tx: Transaction, payment: PaymentRow, refund: Refund): Promise<ChargebackRow> {
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
  if (chargeback === undefined) throw new Error("inserting a refund returned no row");
  await writeAudit(tx, {
    actor,
    action: "refund_payment",
    subject: { type: "payment", id: payment.id },
    before: { refundedCents: payment.refundedCents },
    after: { amountCents, chargebackId: chargeback.id },
    reason,
  });
  return chargeback;
}

type PendingRefund = { payment: PaymentRow; chargeback: ChargebackRow };

const BATCH_SIZE = 20;

/**
 * Sends a stored refund to the provider and books its answer. Does nothing for a refund that was answered before.
 * @throws Refusal 422 where the provider refuses, 503 where it does not answer, 409 where it refunded more than was left.
 */
export async function sendRefund(deps: Deps, pending: PendingRefund): Promise<void> {
  const { payment, chargeback } = pending;
  if (chargeback.state === "refused") throw refused("The provider has refused this refund.");
  if (chargeback.state !== "asked" && !isUnsent(chargeback)) return;
  const { reference, providerRef } = payment;
  const { id: chargebackId, amountCents } = chargeback;
  const answer = await providerOf(deps.env).refund({ reference, providerRef, chargebackId, amountCents });
  if ("refused" in answer) {
    if (isUnsent(chargeback)) await bringBack(deps, pending);
    else await markRefused(deps, chargeback);
    throw refused(`The provider refuses: ${answer.refused}`);
  }
  await book(deps, pending, answer);
  deps.notifyRelay();
}

/** What a player has asked back has left the wallet, and the provider has not answered yet (return-unused.ts). */
const isUnsent = ({ state, providerRef }: ChargebackRow) => state === "taken" && providerRef === null;
const unsent = and(
  eq(chargebacks.state, "taken"),
  eq(chargebacks.cause, "refund"),
  isNull(chargebacks.providerRef),
);

/** What the provider does not refund is in the wallet again. */
function bringBack(deps: Deps, { payment: { provider, reference, userId }, chargeback }: PendingRefund) {
  const { id: chargebackId, amountCents } = chargeback;
  return withWallet(deps, { userId, lockTimeout: PROCEED_ON_TIMEOUT }, async (tx) => {
    const terms = { chargebackRef: `refused_${chargebackId}`, chargebackId, amountCents, currency: "USD" };
    const notice = { provider, reference, cause: "refund", state: "returned", ...terms } as const;
    const applied = await applyChargeback(tx, notice);
    await notifyPlayer(tx, { provider, reference }, { applied, cause: "refund", amountCents });
  });
}

async function book(
  deps: Deps,
  { payment, chargeback }: PendingRefund,
  update: ChargebackUpdate,
): Promise<void> {
  const named = { provider: payment.provider, reference: payment.reference };
  const messageId = `refund-${chargeback.id}`;
  try {
    await withWallet(deps, { userId: payment.userId, lockTimeout: PROCEED_ON_TIMEOUT }, async (tx) => {
      const applied = await applyChargeback(tx, { ...named, ...update, chargebackId: chargeback.id });
      await notifyPlayer(tx, named, { applied, cause: "refund", amountCents: update.amountCents });
      await closeFlag(tx, { provider: payment.provider, messageId });
    });
  } catch (error) {
    if (!(error instanceof LedgerRefusal)) throw error;
    await raiseFlag(deps, { ...named, messageId, outcome: null, chargebacks: [update] }, error);
    throw conflict(`The provider has paid it back, but it cannot be booked: ${error.message}.`);
  }
}

/** The provider's message may have come before its answer. A refund that was booked by then stays booked. */
async function markRefused({ pool }: Deps, { id }: ChargebackRow): Promise<void> {
  await pool.db
    .update(chargebacks)
    .set({ state: "refused", updatedAt: sql`clock_timestamp()` })
    .where(and(eq(chargebacks.id, id), eq(chargebacks.state, "asked")));
}

function refused(detail: string) {
  return invalid({ base: ["was refused by the provider"] }, { code: "refund_refused", detail });
}

/**
 * Sends refunds again that the provider has not answered for a minute. The provider refunds once, however often it receives the order.
 * One that the provider refuses is tried again with growing pauses.
 */
export async function finishRefunds(deps: Deps): Promise<void> {
  if (deps.env.payments.provider === "none") return;
  const unanswered = await deps.pool.db
    .select({ payment: payments, chargeback: chargebacks })
    .from(chargebacks)
    .innerJoin(payments, eq(payments.id, chargebacks.paymentId))
    .where(
      and(
        or(eq(chargebacks.state, "asked"), unsent),
        eq(payments.provider, deps.env.payments.provider),
        notPaused("refund", chargebacks.id),
        sql`${chargebacks.createdAt} < clock_timestamp() - interval '1 minute'`,
      ),
    )
    .orderBy(asc(chargebacks.id))
    .limit(BATCH_SIZE);
  await tryRows(deps, unanswered, (pending) => sendRefund(deps, pending), {
    kind: "refund",
    idOf: ({ chargeback }) => chargeback.id,
  });
}
