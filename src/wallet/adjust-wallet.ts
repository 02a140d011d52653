import { and, eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { adjustWallet as adjustInLedger } from "#db/ledger/adjust-wallet.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { audit } from "#db/schema/audit.ts";
import { writeAudit } from "#src/audit.ts";
import type { Deps } from "#src/deps.ts";
import { changeOf } from "#src/http/money.ts";
import { invalid, notFound } from "#src/http/refusal.ts";
import { writeNotifications } from "#src/notifications/write-notifications.ts";

export type Adjustment = {
  userId: number;
  actor: { id: number };
  /** Above zero in the player's favour, below zero against it. */
  amountCents: number;
  reason: string;
  /** Unique per admin: the same key and adjustment move the money once. */
  idempotencyKey: string;
};

/**
 * Corrects a player's wallet by hand. What it cannot cover becomes what the player owes.
 * @throws Refusal 404 where there is no such wallet; 422 for a key that belongs to another adjustment.
 */
export async function adjustWallet(deps: Deps, adjustment: Adjustment): Promise<void> {
  const { userId, actor, amountCents, reason } = adjustment;
  const idempotencyKey = `${actor.id}-${adjustment.idempotencyKey}`;
  try {
    await inTransaction(deps.pool.db, async (tx) => {
      const order = { userId, actorId: actor.id, amountCents, reason, idempotencyKey };
      const journalId = await adjustInLedger(tx, order);
      if (await isAudited(tx, { userId, journalId })) return;
      await writeAudit(tx, {
        actor,
        action: "adjust_wallet",
        subject: { type: "user", id: userId },
        sessionId: null,
        before: {},
        after: { amountCents, journalId },
        reason,
      });
      await notifyAdjustment(tx, adjustment);
    });
  } catch (error) {
    throw refusalFor(error);
  }
  deps.ringOutbox();
}

/** The player reads how much it was, and why. */
async function notifyAdjustment(tx: Transaction, { userId, amountCents, reason }: Adjustment): Promise<void> {
  const title = `Your wallet was corrected: ${changeOf(amountCents)}`;
  await writeNotifications(tx, [{ userId, kind: "correction", title, body: reason, url: "/profile/wallet" }]);
}

/** The journal was there before: the request came a second time. */
async function isAudited(
  tx: Transaction,
  { userId, journalId }: { userId: number; journalId: number },
): Promise<boolean> {
  const sameJournal = sql`(${audit.after} ->> 'journalId')::bigint = ${journalId}`;
  const ofUser = and(eq(audit.subjectType, "user"), eq(audit.subjectId, userId));
  return (await tx.$count(audit, and(ofUser, eq(audit.action, "adjust_wallet"), sameJournal))) > 0;
}

function refusalFor(error: unknown): unknown {
  if (!(error instanceof LedgerRefusal)) return error;
  if (error.code === "not_found") return notFound();
  if (error.code !== "key_reused") return error;
  const detail = "This Idempotency-Key belongs to another adjustment of yours.";
  return invalid({ idempotencyKey: ["has already been taken"] }, { code: "idempotency_key_reused", detail });
}
