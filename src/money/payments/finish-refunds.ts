import { and, asc, eq, sql } from "drizzle-orm";
import { chargebacks, payments } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";
import { sendRefund } from "./send-refund.ts";

const BATCH_SIZE = 20;

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
