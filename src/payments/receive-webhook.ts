import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { type AppliedPayment, applyPayment, type PaymentNotice } from "#db/ledger/apply-payment.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { payments } from "#db/schema/payments.ts";
import { writeAudit } from "#src/audit.ts";
import type { Deps } from "#src/deps.ts";
import { currencyOf } from "#src/http/money.ts";
import { conflict, invalid, notFound } from "#src/http/refusal.ts";
import { writeNotifications } from "#src/notifications/write-notifications.ts";
import { providerOf } from "./provider-of.ts";

/**
 * Takes a provider's message: a deposit, a failure or a refund, each exactly once, however often and in whatever order they
 * come. What is refused counts as never taken, so that the provider's next attempt is looked at anew.
 * @throws Refusal 400 unless the provider signed it; 404 for a payment that is not there (yet); 409 for a refund before its
 *   deposit; 422 for another amount than the payment's, which is written down for the operators.
 */
export async function receiveWebhook(deps: Deps, body: string, headers: Headers): Promise<void> {
  const provider = providerOf(deps.env);
  const said = await provider.readWebhook(body, headers);
  if (said === null) return;
  const sha256 = createHash("sha256").update(body).digest("hex");
  await apply(deps, { ...said, provider: provider.name, sha256 });
  deps.ringOutbox();
}

async function apply(deps: Deps, notice: PaymentNotice): Promise<void> {
  try {
    await inTransaction(deps.pool.db, async (tx) => {
      const applied = await applyPayment(tx, notice);
      await notify(tx, notice, applied);
    });
  } catch (error) {
    if (!(error instanceof LedgerRefusal)) throw error;
    if (error.code === "not_found") throw notFound();
    if (error.code === "wrong_state") throw conflict("The deposit has not come yet.");
    if (error.code !== "invalid_amount") throw error;
    await flag(deps, notice, error);
    throw invalid({ amount: ["doesn't match"] });
  }
}

/** Money that does not match is a mistake or a fraud: somebody has to look at it. */
async function flag(deps: Deps, notice: PaymentNotice, refusal: LedgerRefusal): Promise<void> {
  const { provider, reference, messageId, type, amountCents, currency } = notice;
  deps.log.error({ provider, reference, messageId, reason: refusal.message }, "a payment does not match");
  const payment = await findPayment(deps.pool.db, notice);
  if (payment === undefined) return;
  await writeAudit(deps.pool.db, {
    actor: null,
    action: "refuse_payment",
    subject: { type: "payment", id: payment.id },
    sessionId: null,
    before: { amountCents: payment.amountCents, currency: payment.currency },
    after: { type, amountCents, currency },
    reason: refusal.message,
  });
}

async function notify(tx: Transaction, notice: PaymentNotice, applied: AppliedPayment): Promise<void> {
  if (applied !== "deposited" && applied !== "charged_back") return;
  const payment = await findPayment(tx, notice);
  if (payment === undefined) throw new Error("a payment that was booked is there");
  const amount = currencyOf(payment.amountCents);
  const body = applied === "deposited" ? "It is in your wallet." : "It was taken back from your wallet.";
  const title = applied === "deposited" ? `Paid in: ${amount}` : `Refunded: ${amount}`;
  await writeNotifications(tx, [
    { userId: payment.userId, kind: "payment", title, body, url: "/profile/wallet" },
  ]);
}

async function findPayment(
  db: Pick<Transaction, "select">,
  { provider, reference }: Pick<PaymentNotice, "provider" | "reference">,
) {
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.provider, provider), eq(payments.reference, reference)));
  return payment;
}
