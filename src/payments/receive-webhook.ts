import { createHash } from "node:crypto";
import { inTransaction, type Transaction } from "#db/client.ts";
import { applyChargeback } from "#db/ledger/apply-chargeback.ts";
import { applyPayment } from "#db/ledger/apply-payment.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { type ProviderMessage, takeMessage } from "#db/ledger/take-message.ts";
import type { Deps } from "#src/base/deps.ts";
import { PROCEED_ON_TIMEOUT } from "#src/base/lock.ts";
import { conflict, invalid, notFound } from "#src/base/refusal.ts";
import { withWallet } from "#src/wallet/with-wallet.ts";
import { findPayment } from "./find-payment.ts";
import { closeFlag, raiseFlag } from "./flag-message.ts";
import { notifyPlayer } from "./notify-player.ts";
import { providerOf } from "./provider-of.ts";
import type { WebhookMessage } from "./provider.ts";

type Said = WebhookMessage & ProviderMessage;

/**
 * Takes a provider's message: a deposit, a failure, a refund or a dispute and what became of it, each exactly once, however
 * often and in whatever order they come. What is refused counts as never taken, so that the provider's next attempt is looked
 * at anew; until then it stands among what a person has to look at.
 * @throws Refusal 400 unless the provider signed it; 404 for a payment that is not there (yet); 409 for a refund before its
 *   deposit; 422 for another amount than the payment's, or more than is left of it.
 */
export async function receiveWebhook(deps: Deps, body: string, headers: Headers): Promise<void> {
  const provider = providerOf(deps.env);
  const message = await provider.readWebhook(body, headers);
  if (message === null) return;
  const sha256 = createHash("sha256").update(body).digest("hex");
  await take(deps, { ...message, provider: provider.name, sha256 });
  deps.notifyRelay();
}

async function take(deps: Deps, said: Said): Promise<void> {
  try {
    const payment = await findPayment(deps.pool.db, said);
    if (payment === null) await inTransaction(deps.pool.db, (tx) => takeIn(tx, said));
    else {
      const whose = { userId: payment.userId, patience: PROCEED_ON_TIMEOUT };
      await withWallet(deps, whose, (tx) => takeIn(tx, said));
    }
  } catch (error) {
    if (!(error instanceof LedgerRefusal)) throw error;
    await raiseFlag(deps, said, error);
    throw refusalFor(error);
  }
}

async function takeIn(tx: Transaction, said: Said): Promise<void> {
  if (!(await takeMessage(tx, said))) return;
  await apply(tx, said);
  await closeFlag(tx, said);
}

async function apply(
  tx: Transaction,
  { provider, reference, outcome: ending, chargebacks: takings }: Said,
): Promise<void> {
  const about = { provider, reference };
  if (ending !== null) {
    const applied = await applyPayment(tx, { ...about, ...ending });
    await notifyPlayer(tx, about, { applied, cause: "payment", amountCents: ending.amountCents });
  }
  for (const taking of takings) {
    const applied = await applyChargeback(tx, { ...about, ...taking });
    await notifyPlayer(tx, about, { applied, cause: taking.cause, amountCents: taking.amountCents });
  }
}

function refusalFor(error: LedgerRefusal): Error {
  if (error.code === "not_found") return notFound();
  if (error.code === "wrong_state") return conflict("The deposit has not come yet.");
  return error.code === "invalid_amount" ? invalid({ amount: ["doesn't match"] }) : error;
}
