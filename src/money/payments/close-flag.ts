import { and, eq, isNull, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { paymentFlags } from "#db/schema/payments.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { findFlags } from "./list-flags.ts";
import type { PaymentFlagView } from "./schemas.ts";

/**
 * Closes the flag of a refused message, with the admin's note of what was done. It moves no money. A flag that is closed
 * already does not change.
 * @throws Refusal 404 for an unknown flag.
 */
export async function closePaymentFlag(
  { pool }: Pick<Deps, "pool">,
  { flagId, note, actor }: { flagId: number; note: string; actor: { id: number } },
): Promise<PaymentFlagView> {
  return inTransaction(pool.db, async (tx) => {
    const [closed] = await tx
      .update(paymentFlags)
      .set({ closedAt: sql`clock_timestamp()`, closedBy: actor.id, note })
      .where(and(eq(paymentFlags.id, flagId), isNull(paymentFlags.closedAt)))
      .returning();
    if (closed !== undefined) {
      await writeAudit(tx, {
        actor,
        action: "close_payment_flag",
        subject: { type: "payment_flag", id: flagId },
        sessionId: null,
        before: { code: closed.code, reference: closed.reference },
        after: {},
        reason: note,
      });
    }
    const [flag] = await findFlags(tx, { where: eq(paymentFlags.id, flagId), limit: 1 });
    if (flag === undefined) throw notFound();
    return flag;
  });
}
