import { asc, eq, isNull, type SQL } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { paymentFlags, payments } from "#db/schema/payments.ts";
import type { PaymentFlagView } from "./schemas.ts";

/** Lists the open flags of refused messages, oldest first. */
export function listOpenFlags(db: Queryable, { limit }: { limit: number }): Promise<PaymentFlagView[]> {
  return findFlags(db, { where: isNull(paymentFlags.closedAt), limit });
}

/** Finds flags by a condition, oldest first. */
export async function findFlags(
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
  return rows.map(({ flag, userId }) => ({
    id: flag.id,
    provider: flag.provider,
    messageId: flag.messageId,
    reference: flag.reference,
    userId,
    code: flag.code,
    detail: flag.detail,
    timesSeen: flag.timesSeen,
    createdAt: flag.createdAt.toISOString(),
    seenAt: flag.seenAt.toISOString(),
    closedAt: flag.closedAt?.toISOString() ?? null,
    note: flag.note,
  }));
}
