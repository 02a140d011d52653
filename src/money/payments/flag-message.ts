import { and, asc, eq, isNull, sql, type SQL } from "drizzle-orm";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import type { LedgerRefusal } from "#db/ledger/refusal.ts";
import type { FlagCode } from "#db/lists/payments.ts";
import { paymentFlags, payments } from "#db/schema/payments.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import { notifyStaff } from "#src/people/notifications/write-notifications.ts";
import { findPayment } from "./find-payment-views.ts";
import type { WebhookMessage } from "./provider.ts";
import { paymentFlagSchema, type PaymentFlagView } from "./schemas.ts";

type RefusedMessage = Omit<WebhookMessage, "isMarked"> & { provider: string };

const codes: Partial<Record<LedgerRefusal["code"], FlagCode>> = {
  not_found: "unknown_payment",
  wrong_state: "not_paid_yet",
  invalid_amount: "wrong_amount",
};

/**
 * Flags a provider's message that the ledger refused, for an admin to look at. A repeated message increases `timesSeen`. A
 * wrong amount is a mistake or a fraud, so it also notifies the staff. The other refusals are mostly messages out of order,
 * and the flag closes by itself when the provider's next attempt succeeds.
 */
export async function raiseFlag(
  { pool, log, notifyRelay }: Deps,
  message: RefusedMessage,
  refusal: LedgerRefusal,
) {
  const code = codes[refusal.code];
  if (code === undefined) return;
  const { provider, messageId, reference } = message;
  log.warn({ provider, reference, messageId, reason: refusal.message }, "a provider's message was refused");
  await inTransaction(pool.db, async (tx) => {
    const payment = await findPayment(tx, message);
    const flag = { provider, messageId, reference, code, detail: refusal.message };
    const said = { ending: message.outcome, takings: message.chargebacks };
    const [raised] = await tx
      .insert(paymentFlags)
      .values({ ...flag, paymentId: payment?.id ?? null, said })
      .onConflictDoUpdate({
        target: [paymentFlags.provider, paymentFlags.messageId],
        set: { timesSeen: sql`${paymentFlags.timesSeen} + 1`, seenAt: sql`clock_timestamp()` },
      })
      .returning({ timesSeen: paymentFlags.timesSeen });
    if (raised?.timesSeen === 1 && code === "wrong_amount") await notifyOfMismatch(tx, refusal.message);
  });
  notifyRelay();
}

/** Closes the flag of a message that was refused before and is accepted now. */
export async function closeFlag(
  tx: Transaction,
  { provider, messageId }: Pick<RefusedMessage, "provider" | "messageId">,
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

async function notifyOfMismatch(tx: Transaction, detail: string): Promise<void> {
  await notifyStaff(tx, {
    title: "A payment does not match",
    body: `What the provider says was refused: ${detail}.`,
    url: "/admin/books",
  });
}

/**
 * Closes the flag of a refused message, with the admin's note of what was done. It moves no money. A flag that is closed
 * already does not change.
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
        before: { code: closed.code, reference: closed.reference },
        reason: note,
      });
    }
    const [flag] = await findFlags(tx, { where: eq(paymentFlags.id, flagId), limit: 1 });
    if (flag === undefined) throw notFound();
    return flag;
  });
}

/** Lists the open flags of refused messages, oldest first. */
export function listOpenFlags(db: Queryable, { limit }: { limit: number }): Promise<PaymentFlagView[]> {
  return findFlags(db, { where: isNull(paymentFlags.closedAt), limit });
}

async function findFlags(
  db: Queryable,
  { where, limit }: { where: SQL; limit: number },
): Promise<PaymentFlagView[]> {
  const rows = await db
    .select({ flag: paymentFlags, userId: payments.userId })
    .from(paymentFlags)
    .leftJoin(payments, eq(payments.id, paymentFlags.paymentId))
    .where(where)
    .orderBy(asc(paymentFlags.id))
    .limit(limit);
  return rows.map(({ flag, userId }) => present(paymentFlagSchema, { ...flag, userId }));
}
