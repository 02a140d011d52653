import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { paySettlement } from "#src/play/settlements/pay-settlement.ts";
import type { Show } from "./show.ts";

/** Pays all that was decided to the end, as the jobs of a worker do. @returns the events that were paid. */
export async function payDecided({ deps, eventIds }: Pick<Show, "deps" | "eventIds">): Promise<number[]> {
  const unpaid = await listUnpaidSettlements(deps.pool.db, eventIds);
  for (const { eventId } of unpaid) {
    const progress = await paySettlement(deps, eventId, { budgetMs: Number.POSITIVE_INFINITY });
    if (progress !== "paid") throw new Error(`the settlement of event ${eventId} is ${progress}`);
  }
  return unpaid.map(({ eventId }) => eventId);
}
