import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import type { Deps } from "#src/base/deps.ts";

/**
 * Has a worker pay what is decided on an event and not yet paid, and does not wait for it: where Redis did not take the job,
 * the sweep sees to it.
 */
export async function startPaying(
  { pool, queues, log }: Pick<Deps, "pool" | "queues" | "log">,
  eventId: number,
): Promise<void> {
  const leaveToSweep = (error: unknown) =>
    log.debug({ eventId, err: error }, "No worker was asked to pay; the sweep will see to it");
  try {
    for (const { settlementId } of await listUnpaidSettlements(pool.db, [eventId])) {
      queues.paySettlement({ settlementId, eventId }).catch(leaveToSweep);
    }
  } catch (error) {
    // What was decided is decided, and whoever did so must not hear otherwise.
    leaveToSweep(error);
  }
}
