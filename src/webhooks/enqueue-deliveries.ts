import type { Deps } from "#src/base/deps.ts";

/** The relay waits no longer than this for a Redis that does not reply. */
const ENQUEUE_TIMEOUT_MS = 1_000;

/** Deliveries that were just committed, with the number of attempts so far: a new attempt is another job. */
export type Committed = { id: number; attempts: number };

/** Sends deliveries at once. What Redis does not accept is found by deliverDueWebhooks. */
export async function enqueueDeliveries(
  { queues, log }: Pick<Deps, "queues" | "log">,
  deliveries: readonly Committed[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new Error("Redis did not reply in time")),
    ENQUEUE_TIMEOUT_MS,
  );
  try {
    const added = deliveries.map(({ id, attempts }) => queues.deliverWebhook({ deliveryId: id }, attempts));
    await Promise.race([Promise.all(added), timeout.promise]);
  } catch (error) {
    log.warn({ err: error }, "messages to webhooks could not be enqueued; deliverDueWebhooks will send them");
  } finally {
    clearTimeout(timer);
  }
}
