import { and, eq, sql } from "drizzle-orm";
import { applyChargeback } from "#db/ledger/apply-chargeback.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { chargebacks } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { PROCEED_ON_TIMEOUT } from "#src/base/lock.ts";
import { conflict, invalid } from "#src/base/refusal.ts";
import { withWallet } from "#src/wallet/with-wallet.ts";
import type { PaymentRow } from "./create-payment.ts";
import { closeFlag, raiseFlag } from "./flag-message.ts";
import { notifyPlayer } from "./notify-player.ts";
import type { ChargebackRow } from "./present-payment.ts";
import { providerOf } from "./provider-of.ts";
import type { ChargebackUpdate } from "./provider.ts";

type Asked = { payment: PaymentRow; chargeback: ChargebackRow };

/**
 * Has the provider do a refund that was asked for, and books its answer. One that is done already stays as it is.
 * @throws Refusal 422 where the provider refuses, 503 where it does not answer, 409 where it has paid back what was not left.
 */
export async function sendRefund(deps: Deps, asked: Asked): Promise<void> {
  const { payment, chargeback } = asked;
  if (chargeback.state === "refused") throw refused("The provider has refused this refund.");
  if (chargeback.state !== "asked") return;
  const { reference, providerRef } = payment;
  const { id: chargebackId, amountCents } = chargeback;
  const answer = await providerOf(deps.env).refund({ reference, providerRef, chargebackId, amountCents });
  if ("refused" in answer) {
    await markRefused(deps, chargeback);
    throw refused(`The provider refuses: ${answer.refused}`);
  }
  await book(deps, asked, answer);
  deps.notifyRelay();
}

async function book(deps: Deps, { payment, chargeback }: Asked, taking: ChargebackUpdate): Promise<void> {
  const about = { provider: payment.provider, reference: payment.reference };
  const messageId = `refund-${chargeback.id}`;
  try {
    await withWallet(deps, { userId: payment.userId, lockTimeout: PROCEED_ON_TIMEOUT }, async (tx) => {
      const applied = await applyChargeback(tx, { ...about, ...taking, chargebackId: chargeback.id });
      await notifyPlayer(tx, about, { applied, cause: "refund", amountCents: taking.amountCents });
      await closeFlag(tx, { provider: payment.provider, messageId });
    });
  } catch (error) {
    if (!(error instanceof LedgerRefusal)) throw error;
    await raiseFlag(deps, { ...about, messageId, outcome: null, chargebacks: [taking] }, error);
    throw conflict(`The provider has paid it back, but it cannot be booked: ${error.message}.`);
  }
}

/** The provider's word may have overtaken its answer: what is taken by then stays taken. */
async function markRefused({ pool }: Deps, { id }: ChargebackRow): Promise<void> {
  await pool.db
    .update(chargebacks)
    .set({ state: "refused", updatedAt: sql`clock_timestamp()` })
    .where(and(eq(chargebacks.id, id), eq(chargebacks.state, "asked")));
}

function refused(detail: string) {
  return invalid({ base: ["was refused by the provider"] }, { code: "refund_refused", detail });
}
