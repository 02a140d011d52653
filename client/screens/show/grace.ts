import type { Api } from "#client/base/api/api.ts";
import { trueNow } from "#client/base/live/clock.ts";
import { readSync } from "#client/base/live/connection.ts";
import { GRACE_MAX_MS } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";

/*
 * Decision: the settlement delay belongs to the host who decides, from the moment at which the page shows the result. Only the server
 * knows when it pays, so the page asks it for the time that its answer and a U take on their way: with the result, as long as the
 * last answers took; and once more where the answer came later than that. So `paysAt` is true for everybody at any moment.
 */

/** Enough for most connections: both ways of an answer and of a U. */
const GRACE_MIN_MS = 500;

/** How much longer a result is to wait. @param lastAnswerMs how long the last act waited for its answer. */
export function graceFor(lastAnswerMs: number): number {
  if (readSync() !== "live") return GRACE_MAX_MS;
  return Math.min(GRACE_MAX_MS, Math.max(GRACE_MIN_MS, Math.round(2 * lastAnswerMs)));
}

/**
 * Asks for the delay to begin again where the answer with a pending result was late. Of two hosts the one who changes the event
 * meanwhile is right: the request is for this version only.
 * @returns the event with its later payment; null where nothing was asked for, or it was refused.
 */
export async function prolongDelay(api: Api, event: EventView, graceMs: number): Promise<EventView | null> {
  const { id, pendingResult, paysAt, plan, version } = event;
  if (pendingResult === null || paysAt === null || plan?.decided == null) return null;
  const { at, effectiveAt } = plan.decided;
  if (trueNow() - Date.parse(at) < graceMs / 2) return null;
  const again = { stateEvent: "resolve", result: pendingResult, effectiveAt, graceMs };
  const options = { headers: { "if-match": `"${version}"` } };
  return api.patch(`/api/v1/events/${id}/state`, { event: again }, options).then(
    (answer) => answer.event,
    // It is paid as planned, and the page says when.
    () => null,
  );
}
