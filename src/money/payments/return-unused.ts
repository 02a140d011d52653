import { and, eq } from "drizzle-orm";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { takeUnused } from "#db/ledger/spending.ts";
import { chargebacks } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { PROCEED_ON_TIMEOUT } from "#src/base/lock.ts";
import { conflict, invalid, notFound, Refusal } from "#src/base/refusal.ts";
import { withWallet } from "#src/money/wallet/with-wallet.ts";
import type { PaymentRow } from "./create-payment.ts";
import { findOwnPayment } from "./find-payment-views.ts";
import { notifyPlayer } from "./notify-player.ts";
import { providerOf } from "./provider-of.ts";
import { sendRefund } from "./refund-payment.ts";

// Decision: the money leaves the wallet before the provider is asked, so no call can use it meanwhile. The refund is stored with it, and
// is sent by the same way as an admin's: again and again until the provider has answered. If it refuses, the money comes back.

/**
 * Sends back what of a payment of the last 14 days was not used, by the player's own tap.
 * @returns the payment afterwards, and whether the refund was replayed under the same key. While the provider is away the refund is on its way.
 * @throws Refusal 404 for an unknown payment, 409 for one that another provider took, 422 where nothing is unused and where the
 *   provider refuses.
 */
export async function returnUnused(
  deps: Deps,
  {
    viewer,
    reference,
    idempotencyKey,
  }: { viewer: { id: number }; reference: string; idempotencyKey: string },
): Promise<{ payment: PaymentRow; replayed: boolean }> {
  const { db } = deps.pool;
  const payment = await findOwnPayment(db, { viewer, reference });
  const { provider } = payment;
  if (provider !== providerOf(deps.env).name) throw conflict("Another provider took this payment.");
  const key = `unused-${idempotencyKey}`;
  const ofKey = and(eq(chargebacks.paymentId, payment.id), eq(chargebacks.idempotencyKey, key));
  const { chargeback, replayed } = await withWallet(
    deps,
    { userId: viewer.id, lockTimeout: PROCEED_ON_TIMEOUT },
    async (tx) => {
      const isReplay = (await tx.$count(chargebacks, ofKey)) > 0;
      await takeUnused(tx, { userId: viewer.id, reference, key });
      const [row] = await tx.select().from(chargebacks).where(ofKey);
      if (row === undefined) throw new Error("the refund of an unused deposit was not found");
      const change = { applied: "charged_back", cause: "refund", amountCents: row.amountCents } as const;
      if (!isReplay) await notifyPlayer(tx, { provider, reference }, change);
      return { chargeback: row, replayed: isReplay };
    },
  ).catch((error: unknown) => {
    throw error instanceof LedgerRefusal ? refusalFor(error) : error;
  });
  deps.notifyRelay();
  await sendRefund(deps, { payment, chargeback }).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.status === 503)) throw error;
  });
  return { payment: await findOwnPayment(db, { viewer, reference }), replayed };
}

function refusalFor(error: LedgerRefusal): Error {
  if (error.code === "not_found") return notFound();
  if (error.code !== "wrong_state") return error;
  const detail = "Nothing of this payment is left that was not used, or its 14 days are over.";
  return invalid({ base: ["was used"] }, { code: "nothing_unused", detail });
}
