import { isLargeSettlement } from "#db/ledger/large-settlement.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { type PayDeps, paySettlement } from "./pay-settlement.ts";
import { stillPaying } from "./still-paying.ts";

const WAIT_MAX_MS = 1_000;
const RETRY_MS = 20;

/**
 * Pays an event's unpaid settlement now, for a request that needs it paid. It does what the job or the sweep would do in a
 * moment.
 * @param nextStep what to do when it is refused, for the message.
 * @throws Refusal 409 for a large settlement, which takes too long.
 */
export async function finishPaying(deps: PayDeps, eventId: number, nextStep: string): Promise<void> {
  const { db } = deps.pool;
  const waitUntil = performance.now() + WAIT_MAX_MS;
  for (;;) {
    const [unpaid] = await listUnpaidSettlements(db, [eventId]);
    if (unpaid === undefined) return;
    const isLate = performance.now() >= waitUntil;
    if (isLate || (await isLargeSettlement(db, eventId))) throw stillPaying(unpaid, nextStep);
    // Another process may be paying it: then this one looks again.
    if ((await paySettlement(deps, eventId)) === "locked") await Bun.sleep(RETRY_MS);
  }
}
