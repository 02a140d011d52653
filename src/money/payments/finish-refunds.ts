import { and, asc, eq, sql } from "drizzle-orm";
import { chargebacks, payments } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { sendRefund } from "./send-refund.ts";

const BATCH_SIZE = 20;

/**
 * Sends refunds again that the provider has not answered for a minute. The provider refunds once, however often it receives the order.
 * Refusals are logged.
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
        sql`${chargebacks.createdAt} < clock_timestamp() - interval '1 minute'`,
      ),
    )
    .orderBy(asc(chargebacks.id))
    .limit(BATCH_SIZE);
  for (const pending of unanswered) {
    try {
      await sendRefund(deps, pending);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { payment, chargeback } = pending;
      deps.log.warn(
        { reference: payment.reference, chargebackId: chargeback.id, err: error },
        "could not finish a refund",
      );
    }
  }
}
