import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import type { Deps } from "#src/base/deps.ts";
import { paySettlement } from "./pay-settlement.ts";

/**
 * Continues every unpaid settlement, for about a second each, unless another process is paying it. So everybody is paid even
 * without Redis, its jobs or the workers.
 */
export async function sweepSettlements(deps: Pick<Deps, "pool" | "notifyRelay">): Promise<void> {
  const unpaid = await listUnpaidSettlements(deps.pool.db);
  for (const { settlementId, eventId } of unpaid) await paySettlement(deps, { settlementId, eventId });
}
