import { and, asc, eq, sql } from "drizzle-orm";
import { applyChargeback } from "#db/ledger/apply-chargeback.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { chargebacks, payments } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { PROCEED_ON_TIMEOUT } from "#src/base/lock.ts";
import { conflict, invalid } from "#src/base/refusal.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";
import { withWallet } from "#src/money/wallet/with-wallet.ts";
import type { PaymentRow } from "./create-payment.ts";
import { closeFlag, raiseFlag } from "./flag-message.ts";
import { notifyPlayer } from "./notify-player.ts";
import type { ChargebackRow } from "./present-payment.ts";
import { providerOf } from "./provider-of.ts";
import type { ChargebackUpdate } from "./provider.ts";

type PendingRefund = { payment: PaymentRow; chargeback: ChargebackRow };

const BATCH_SIZE = 20;

/**
 * Sends a stored refund to the provider and books its answer. Does nothing for a refund that was answered before.
 * @throws Refusal 422 where the provider refuses, 503 where it does not answer, 409 where it refunded more than was left.
 */
export async function sendRefund(deps: Deps, pending: PendingRefund): Promise<void> {
  const { payment, chargeback } = pending;
  if (chargeback.state === "refused") throw refused("The provider has refused this refund.");
  if (chargeback.state !== "asked") return;
  const { reference, providerRef } = payment;
  const { id: chargebackId, amountCents } = chargeback;
  const answer = await providerOf(deps.env).refund({ reference, providerRef, chargebackId, amountCents });
  if ("refused" in answer) {
    await markRefused(deps, chargeback);
    throw refused(`The provider refuses: ${answer.refused}`);
  }
  await book(deps, pending, answer);
  deps.notifyRelay();
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
        eq(chargebacks.state, "asked"),
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
