import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { previewPayouts } from "#db/ledger/settle-event.ts";
import { events } from "#db/schema/events.ts";
import { notFound } from "#src/base/refusal.ts";
import { cannotTransitionWhen } from "#src/base/transition.ts";
import { allows } from "#src/http/contract.ts";
import { dollarsOf } from "#src/http/money.ts";
import { eventStateLabel, eventTransitions } from "./contract.ts";
import type { EventPreview, PreviewQuery } from "./schemas.ts";

/**
 * What a result would pay and refund. Changes nothing. Without an `effectiveAt` the event's current one counts, as when the result
 * is given without one.
 * @throws Refusal 404 for an unknown event; 422 for an event that cannot be resolved.
 */
export async function previewResult(
  db: Queryable,
  eventId: number,
  { result, effectiveAt }: PreviewQuery,
): Promise<{ preview: EventPreview }> {
  const [event] = await db
    .select({ state: events.state, effectiveAt: events.effectiveAt })
    .from(events)
    .where(eq(events.id, eventId));
  if (event === undefined || event.state === "soft_destroyed") throw notFound();
  if (!allows(eventTransitions, "resolve", event.state)) {
    throw cannotTransitionWhen(eventStateLabel(event.state));
  }
  const preview = await previewPayouts(db, {
    eventId,
    result,
    effectiveAt: effectiveMoment(event, effectiveAt),
  });
  return {
    preview: {
      result,
      ...preview,
      paidOut: dollarsOf(preview.paidOutCents),
      refunded: dollarsOf(preview.refundedCents),
      largestWin: dollarsOf(preview.largestWinCents),
      takenBack: dollarsOf(preview.takenBackCents),
      owed: dollarsOf(preview.owedCents),
    },
  };
}

function effectiveMoment(
  event: { effectiveAt: Date | null },
  effectiveAt: PreviewQuery["effectiveAt"],
): Date | null {
  if (effectiveAt === undefined) return event.effectiveAt;
  return effectiveAt === "none" ? null : effectiveAt;
}
