import type { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";

type Decided = Pick<typeof events.$inferSelect, "id" | "version" | "result">;

/**
 * Queues the job that pays what was decided for an event, without waiting. Call it after the commit. If Redis does not accept
 * the job, the sweep pays.
 */
export function startPaying({ queues, log }: Pick<Deps, "queues" | "log">, event: Decided): void {
  const { id: eventId, version, result } = event;
  if (result === null) return;
  queues.paySettlement({ eventId }, version).catch((error: unknown) => {
    log.debug({ eventId, err: error }, "Could not queue the payment of a settlement; the sweep will pay it");
  });
}
