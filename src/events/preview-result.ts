import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { previewPayouts } from "#db/ledger/preview-payouts.ts";
import { events } from "#db/schema/events.ts";
import { allows } from "#src/http/contract.ts";
import { dollarsOf } from "#src/http/money.ts";
import { readQuery } from "#src/http/read-query.ts";
import { invalid, notFound } from "#src/http/refusal.ts";
import { cannotTransitionWhen } from "#src/transition.ts";
import { type EventPreview, eventStateLabels, eventTransitions, previewQuery } from "./contract.ts";

/**
 * What resolving an event so would move, while nothing moves.
 * @param query `?result=true&effective_at=2026-11-21T20:00:00Z`
 * @throws Refusal 404 for an event that is not there; 422 where the result is missing or the event cannot be resolved.
 */
export async function previewResult(
  db: Queryable,
  eventId: number,
  query: Record<string, unknown>,
): Promise<{ preview: EventPreview }> {
  const { result, effectiveAt = null } = readQuery(query, previewQuery);
  if (result === undefined) throw invalid({ result: ["is required"] });
  const [event] = await db.select({ state: events.state }).from(events).where(eq(events.id, eventId));
  if (event === undefined || event.state === "soft_destroyed") throw notFound();
  if (!allows(eventTransitions, "resolve", event.state)) {
    throw cannotTransitionWhen(eventStateLabels[event.state]);
  }
  const preview = await previewPayouts(db, { eventId, result, effectiveAt });
  return {
    preview: {
      result,
      ...preview,
      paidOut: dollarsOf(preview.paidOutCents),
      refunded: dollarsOf(preview.refundedCents),
      largestWin: dollarsOf(preview.largestWinCents),
    },
  };
}
