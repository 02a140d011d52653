import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { adjustWallet as adjustInLedger } from "#db/ledger/adjust-wallet.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { audit } from "#db/schema/audit.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { keyReused } from "#src/base/once.ts";
import { forbidden, notFound } from "#src/base/refusal.ts";
import { formatChange } from "#src/http/contract.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { withWallet } from "./with-wallet.ts";

export type Adjustment = {
  userId: number;
  actor: { id: number };
  /** Above zero adds to the wallet, below zero takes from it. */
  amountCents: number;
  reason: string;
  /** Unique per admin: the same key and adjustment move the money once. */
  idempotencyKey: string;
};

/**
 * Adjusts a player's wallet by an admin's decision. An amount that the wallet cannot cover becomes debt.
 * @returns whether the adjustment was replayed under the same key.
 * @throws Refusal 403 for the admin's own wallet; 404 for an unknown wallet; 409 when the wallet's lock stays busy; 422 for a key of another adjustment.
 */
export async function adjustWallet(deps: Deps, adjustment: Adjustment): Promise<{ replayed: boolean }> {
  const { userId, actor, amountCents, reason } = adjustment;
  if (userId === actor.id) throw forbidden("This wallet is yours. Another admin must adjust it.");
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

async function notifyAdjustment(tx: Transaction, { userId, amountCents, reason }: Adjustment): Promise<void> {
  const title = `Your wallet was corrected: ${formatChange(amountCents)}`;
  await writeNotifications(tx, [{ userId, kind: "correction", title, body: reason, url: "/profile/wallet" }]);
}

/**
 * True where this journal's adjustment was already audited, so the request is a repeat. The reason is compared here because
 * the ledger does not store it.
 */
async function wasAdjusted(
  tx: Transaction,
  { userId, reason, journalId }: Adjustment & { journalId: number },
): Promise<boolean> {
  const sameJournal = sql`(${audit.after} ->> 'journalId')::bigint = ${journalId}`;
  const ofUser = and(eq(audit.subjectType, "user"), eq(audit.subjectId, userId));
  const [entry] = await tx
    .select({ reason: audit.reason })
    .from(audit)
    .where(and(ofUser, eq(audit.action, "adjust_wallet"), sameJournal));
  if (entry !== undefined && entry.reason !== reason) throw keyReused("adjustment");
  return entry !== undefined;
}

function refusalFor(error: unknown): unknown {
  if (!(error instanceof LedgerRefusal)) return error;
  if (error.code === "not_found") return notFound();
  return error.code === "key_reused" ? keyReused("adjustment") : error;
}
