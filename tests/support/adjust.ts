import type { Queryable } from "#db/client.ts";
import { type AdjustWallet, adjustWallet } from "#db/ledger/adjust-wallet.ts";
import { writeAudit } from "#src/base/audit.ts";

/**
 * Adjusts a wallet with the ledger alone, with the audit entry that the books demand, in one transaction.
 * @returns the journal's id.
 */
export function adjustWithAudit(db: Queryable, adjustment: AdjustWallet): Promise<number> {
  return db.transaction(async (tx) => {
    const journalId = await adjustWallet(tx, adjustment);
    const { actorId, userId, amountCents, reason } = adjustment;
    await writeAudit(tx, {
      actor: { id: actorId },
      action: "adjust_wallet",
      subject: { type: "user", id: userId },
      sessionId: null,
      before: {},
      after: { amountCents, journalId },
      reason,
    });
    return journalId;
  });
}
