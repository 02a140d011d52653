import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import type { Deps } from "#src/base/deps.ts";
import { paySettlement } from "./pay-settlement.ts";

/**
 * Pays on, for a turn each, whatever is decided and not yet paid, unless somebody is at it: whatever has become of Redis, its
 * jobs or the workers, everybody is paid.
 */
export async function sweepSettlements(deps: Pick<Deps, "pool" | "notifyRelay">): Promise<void> {
  const unpaid = await listUnpaidSettlements(deps.pool.db);
  for (const { settlementId, eventId } of unpaid) await paySettlement(deps, { settlementId, eventId });
}
