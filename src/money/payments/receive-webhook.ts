import { createHash } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import {
  applyChargeback,
  applyPayment,
  type ProviderMessage,
  takeMessage,
} from "#db/ledger/apply-payment.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { webhookEvents } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { paymentMessages } from "#src/base/instruments.ts";
import { PROCEED_ON_TIMEOUT } from "#src/base/lock.ts";
import { conflict, invalid, notFound, Refusal } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { withWallet } from "#src/money/wallet/with-wallet.ts";
import type { PaymentRow } from "./create-payment.ts";
import { findPayment } from "./find-payment-views.ts";
import { closeFlag, raiseFlag } from "./flag-message.ts";
import { notifyPlayer } from "./notify-player.ts";
import { providerOf } from "./provider-of.ts";
import {
  ASKED,
  INVALID_SIGNATURE,
  type Provider,
  SIGNATURE_HEADER,
  signWebhook,
  type WebhookMessage,
} from "./provider.ts";
import type { TestWebhook } from "./test-provider.ts";

type ReceivedMessage = WebhookMessage & ProviderMessage;

/**
 * Receives a provider's message (deposit, failure, refund or dispute) and applies it exactly once, however often and in
 * whatever order messages come. A refused message leaves no trace in the ledger, so the provider's next attempt is judged
 * again. Until one succeeds, a flag shows the refusal on the books page.
 *
 * What is not about a payment of this installation is counted and accepted: a provider repeats what is refused for days, and then
 * sends nothing more.
 * @throws Refusal 400 unless the provider signed it; 404 for a payment that does not exist (yet); 409 for a refund before
 *   its deposit; 422 for an amount that does not match the payment, or a refund of more than is left of it.
 */
export async function receiveWebhook(deps: Deps, body: string, headers: Headers): Promise<void> {
  const provider = providerOf(deps.env);
  const message = await provider.readWebhook(body, headers).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === INVALID_SIGNATURE)
      await noteUnsigned(deps, provider, body);
    throw error;
  });
  if (message === null) return paymentMessages.inc({ outcome: "foreign" });
  const sha256 = createHash("sha256").update(body).digest("hex");
  await receive(deps, { ...message, provider: provider.name, sha256 });
  deps.notifyRelay();
}

const namesPayment = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ data: v.object({ object: v.object({ client_reference_id: v.string() }) }) }),
);

/** Anybody may post something without a signature. Only a message that names a payment is told: its reference cannot be guessed. */
async function noteUnsigned({ pool }: Deps, provider: Provider, body: string): Promise<void> {
  paymentMessages.inc({ outcome: "unsigned" });
  const { success, output } = v.safeParse(namesPayment, body);
  if (!success) return;
  const named = { provider: provider.name, reference: output.data.object.client_reference_id };
  if ((await findPayment(pool.db, named)) !== null)
    noteUnheard(pool.db, provider, "Its messages are refused, because their signature is wrong.");
}

/** Notes for operators why messages do not arrive. It is over with the next one that does, in whichever process. */
export function noteUnheard(db: Queryable, provider: Provider, why: string): void {
  const sinceMs = performance.now();
  provider.notHeard(why, async () => {
    const since = sql`clock_timestamp() - make_interval(secs => ${(performance.now() - sinceMs) / 1_000})`;
    const { provider: of, providerEventId, receivedAt } = webhookEvents;
    const arrived = and(
      eq(of, provider.name),
      gt(receivedAt, since),
      sql`NOT starts_with(${providerEventId}, ${ASKED})`,
    );
    return (await db.$count(webhookEvents, arrived)) > 0;
  });
}

export async function receive(deps: Deps, message: ReceivedMessage): Promise<void> {
  const payment = await findPayment(deps.pool.db, message);
  // The payment is stored before its checkout begins, so without a mark this is another shop's.
  if (payment === null && !message.isMarked) return paymentMessages.inc({ outcome: "foreign" });
  try {
    if (payment === null) await inTransaction(deps.pool.db, (tx) => applyOnce(tx, message));
    else {
      const lock = { userId: payment.userId, lockTimeout: PROCEED_ON_TIMEOUT };
      await withWallet(deps, lock, (tx) => applyOnce(tx, message));
    }
    paymentMessages.inc({ outcome: "taken" });
  } catch (error) {
    if (!(error instanceof LedgerRefusal)) throw error;
    paymentMessages.inc({ outcome: "refused" });
    await raiseFlag(deps, message, error);
    if (!isTooLargeDispute(message, error)) throw refusalFor(error);
  }
}

/**
 * A dispute of more than refunds have left of the payment, or in another currency. No repetition changes that, so the message is
 * accepted, and an admin decides: the flag stays open.
 */
function isTooLargeDispute({ chargebacks }: ReceivedMessage, { code }: LedgerRefusal): boolean {
  return code === "invalid_amount" && chargebacks.some(({ cause }) => cause === "dispute");
}

async function applyOnce(tx: Transaction, message: ReceivedMessage): Promise<void> {
  if (!(await takeMessage(tx, message))) return;
  await apply(tx, message);
  await closeFlag(tx, message);
}

async function apply(
  tx: Transaction,
  { provider, reference, outcome, chargebacks }: ReceivedMessage,
): Promise<void> {
  const payment = { provider, reference };
  if (outcome !== null) {
    const applied = await applyPayment(tx, { ...payment, ...outcome });
    await notifyPlayer(tx, payment, { applied, cause: "payment", amountCents: outcome.amountCents });
  }
  for (const chargeback of chargebacks) {
    const applied = await applyChargeback(tx, { ...payment, ...chargeback });
    await notifyPlayer(tx, payment, {
      applied,
      cause: chargeback.cause,
      amountCents: chargeback.amountCents,
    });
  }
}

function refusalFor(error: LedgerRefusal): Error {
  if (error.code === "not_found") return notFound();
  if (error.code === "wrong_state") return conflict("The deposit has not come yet.");
  return error.code === "invalid_amount" ? invalid({ amount: ["doesn't match"] }) : error;
}

/**
 * Ends a checkout of the test provider with the outcome that the player chose, by receiving a signed message like a real
 * provider's.
 * @throws Refusal 404 where another provider is configured or took the payment, 409 for a checkout that was declined: it counts against no limit
 *   any more.
 */
export async function endTestCheckout(
  deps: Deps,
  { payment, outcome }: { payment: PaymentRow; outcome: "succeeded" | "failed" },
): Promise<void> {
  const { payments } = deps.env;
  const [secret] = payments.provider === "test" ? payments.webhookSecrets : [];
  if (secret === undefined || payment.provider !== "test") throw notFound();
  if (payment.state === "failed" && outcome === "succeeded")
    throw conflict("This checkout has ended. Begin another one.");
  const { reference, amountCents, currency } = payment;
  const message: TestWebhook = {
    id: `evt_${crypto.randomUUID()}`,
    type: `payment.${outcome}`,
    data: { reference, amount_cents: amountCents, currency },
  };
  const body = JSON.stringify(message);
  await receiveWebhook(
    deps,
    body,
    new Headers({ [SIGNATURE_HEADER]: signWebhook(body, secret, serverNow()) }),
  );
}
