import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { adjustWallet as adjustInLedger } from "#db/ledger/adjust-wallet.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { audit } from "#db/schema/audit.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { keyReused } from "#src/base/once.ts";
import { notFound } from "#src/base/refusal.ts";
import { changeOf } from "#src/http/money.ts";
import { writeNotifications } from "#src/notifications/write-notifications.ts";
import { withWallet } from "./with-wallet.ts";

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
 * @returns whether it was corrected before under the same key.
 * @throws Refusal 404 where there is no such wallet; 409 while others keep changing it; 422 for a key that belongs to another
 *   adjustment.
 */
export async function adjustWallet(deps: Deps, adjustment: Adjustment): Promise<{ replayed: boolean }> {
  const { userId, actor, amountCents, reason } = adjustment;
  const idempotencyKey = `${actor.id}-${adjustment.idempotencyKey}`;
  try {
    const replayed = await withWallet(deps, { userId }, async (tx) => {
      const order = { userId, actorId: actor.id, amountCents, reason, idempotencyKey };
      const journalId = await adjustInLedger(tx, order);
      if (await wasAdjusted(tx, { ...adjustment, journalId })) return true;
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
      return false;
    });
    deps.notifyRelay();
    return { replayed };
  } catch (error) {
    throw refusalFor(error);
  }
}

/** The player reads how much it was, and why. */
async function notifyAdjustment(tx: Transaction, { userId, amountCents, reason }: Adjustment): Promise<void> {
  const title = `Your wallet was corrected: ${changeOf(amountCents)}`;
  await writeNotifications(tx, [{ userId, kind: "correction", title, body: reason, url: "/profile/wallet" }]);
}

/** True where the journal was there before: the request came a second time. The books do not know its reason. */
async function wasAdjusted(
  tx: Transaction,
  { userId, reason, journalId }: Adjustment & { journalId: number },
): Promise<boolean> {
  const sameJournal = sql`(${audit.after} ->> 'journalId')::bigint = ${journalId}`;
  const ofUser = and(eq(audit.subjectType, "user"), eq(audit.subjectId, userId));
  const [line] = await tx
    .select({ reason: audit.reason })
    .from(audit)
    .where(and(ofUser, eq(audit.action, "adjust_wallet"), sameJournal));
  if (line !== undefined && line.reason !== reason) throw keyReused("adjustment");
  return line !== undefined;
}

function refusalFor(error: unknown): unknown {
  if (!(error instanceof LedgerRefusal)) return error;
  if (error.code === "not_found") return notFound();
  return error.code === "key_reused" ? keyReused("adjustment") : error;
}
