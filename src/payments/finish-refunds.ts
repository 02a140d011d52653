import { and, asc, eq, sql } from "drizzle-orm";
import { chargebacks, payments } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { sendRefund } from "./send-refund.ts";

const AT_ONCE = 20;

/** Asks anew for refunds that got no answer for a minute. Asking twice pays once; what is refused is only logged. */
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
    .limit(AT_ONCE);
  for (const asked of unanswered) {
    try {
      await sendRefund(deps, asked);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { payment, chargeback } = asked;
      deps.log.warn(
        { reference: payment.reference, chargebackId: chargeback.id, err: error },
        "a refund is not done",
      );
    }
  }
}
