import { and, eq, isNull, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import type { LedgerRefusal } from "#db/ledger/refusal.ts";
import { paymentFlags } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { notifyStaff } from "#src/notifications/notify-staff.ts";
import type { FlagCode } from "./contract.ts";
import { findPayment } from "./find-payment.ts";
import type { WebhookMessage } from "./provider.ts";

type Refused = WebhookMessage & { provider: string };

const codes: Partial<Record<LedgerRefusal["code"], FlagCode>> = {
  not_found: "unknown_payment",
  wrong_state: "not_paid_yet",
  invalid_amount: "wrong_amount",
};

/**
 * Writes down that what a provider says was refused, so that a person can look at it. The same message again is counted. An
 * amount that does not match is a mistake or a fraud and is told to the staff; the rest is mostly out of order, and passes.
 */
export async function raiseFlag({ pool, log, notifyRelay }: Deps, said: Refused, refusal: LedgerRefusal) {
  const code = codes[refusal.code];
  if (code === undefined) return;
  const { provider, messageId, reference } = said;
  log.warn({ provider, reference, messageId, reason: refusal.message }, "a provider's message was refused");
  await inTransaction(pool.db, async (tx) => {
    const payment = await findPayment(tx, said);
    const flag = { provider, messageId, reference, code, detail: refusal.message };
    const { outcome: ending, chargebacks: takings } = said;
    const [raised] = await tx
      .insert(paymentFlags)
      .values({ ...flag, paymentId: payment?.id ?? null, said: { ending, takings } })
      .onConflictDoUpdate({
        target: [paymentFlags.provider, paymentFlags.messageId],
        set: { timesSeen: sql`${paymentFlags.timesSeen} + 1`, seenAt: sql`clock_timestamp()` },
      })
      .returning({ timesSeen: paymentFlags.timesSeen });
    if (raised?.timesSeen === 1 && code === "wrong_amount") await tellStaff(tx, refusal.message);
  });
  notifyRelay();
}

/** A message that was refused before is taken after all: nobody needs to look at it any more. */
export async function closeFlag(
  tx: Transaction,
  { provider, messageId }: Pick<Refused, "provider" | "messageId">,
) {
  await tx
    .update(paymentFlags)
    .set({ closedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(paymentFlags.provider, provider),
        eq(paymentFlags.messageId, messageId),
        isNull(paymentFlags.closedAt),
      ),
    );
}

async function tellStaff(tx: Transaction, detail: string): Promise<void> {
  await notifyStaff(tx, {
    title: "A payment does not match",
    body: `What the provider says was refused: ${detail}.`,
    url: "/admin/books",
  });
}
