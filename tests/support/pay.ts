import { eq } from "drizzle-orm";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { type PayDeps, paySettlement } from "#src/play/settlements/pay-settlement.ts";
import { resolveEvent, type Verdict } from "#src/show/events/resolve-event.ts";
import type { EventCommand, EventRow } from "#src/show/events/with-event.ts";
import { waitFor } from "./wait-for.ts";

/**
 * Pays what was decided, as a worker's job does, and waits for what another process is paying.
 * @param eventIds default: all events.
 */
export async function payNow(deps: PayDeps, ...eventIds: readonly number[]): Promise<void> {
  const unpaid = await listUnpaidSettlements(deps.pool.db, eventIds.length === 0 ? undefined : eventIds);
  for (const { eventId } of unpaid) {
    await waitFor(`event ${eventId} to be paid`, async () => {
      return (await paySettlement(deps, eventId, { budgetMs: Number.POSITIVE_INFINITY })) === "paid";
    });
  }
}

/** Resolves an event, or corrects it, and pays it. Returns the event as it is then. */
export async function resolveAndPay(deps: Deps, command: EventCommand & Verdict): Promise<EventRow> {
  const { id } = await resolveEvent(deps, command);
  await payNow(deps, id);
  const [event] = await deps.pool.db.select().from(events).where(eq(events.id, id));
  if (event === undefined) throw new Error(`event ${id} is missing`);
  return event;
}
