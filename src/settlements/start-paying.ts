import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import type { Deps } from "#src/base/deps.ts";

/**
 * Queues a job that pays the unpaid settlement of an event, if there is one, without waiting. If Redis does not accept the
 * job, the sweep pays.
 */
export async function startPaying(
  { pool, queues, log }: Pick<Deps, "pool" | "queues" | "log">,
  eventId: number,
): Promise<void> {
  const leaveToSweep = (error: unknown) =>
    log.debug({ eventId, err: error }, "Could not queue the payment of a settlement; the sweep will pay it");
  try {
    for (const { settlementId } of await listUnpaidSettlements(pool.db, [eventId])) {
      queues.paySettlement({ settlementId, eventId }).catch(leaveToSweep);
    }
  } catch (error) {
    // The decision is committed, so its request must not fail here.
    leaveToSweep(error);
  }
}
