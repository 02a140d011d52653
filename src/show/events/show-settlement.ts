import type { Queryable } from "#db/client.ts";
import { listSettlements } from "#db/ledger/list-settlements.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { presentSettlement } from "#src/play/calls/present-settlement.ts";
import { findPayouts, noPayouts } from "#src/play/settlements/find-payouts.ts";
import type { SettlementAnswer } from "./schemas.ts";
import { showEvent } from "./show-event.ts";

/**
 * How an event was settled: the decisions with their reasons, the numbers of the formula, and the payouts, without names.
 * @throws Refusal 404 for an event that does not exist or that this viewer may not see.
 */
export async function showSettlement(
  db: Queryable,
  { eventId, viewer }: { eventId: number; viewer: Viewer },
  now: Date,
): Promise<SettlementAnswer> {
  const { event } = await showEvent(db, { eventId, viewer }, now);
  const settlements = await listSettlements(db, eventId);
  const latest = settlements.at(-1);
  const paid = latest === undefined ? noPayouts : await findPayouts(db, latest.id);
  return { event, settlements: settlements.map(presentSettlement), ...paid };
}
