import type { Deps } from "#src/base/deps.ts";

/** A request waits no longer than this for a Redis that does not reply. */
const ENQUEUE_TIMEOUT_MS = 1_000;

/** Enqueues a mail that was just committed, so that it is sent at once. While Redis is away, deliverDueMails sends it. */
export async function enqueueMail(
  { queues, log }: Pick<Deps, "queues" | "log">,
  mailId: number,
): Promise<void> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new Error("Redis did not reply in time")),
    ENQUEUE_TIMEOUT_MS,
  );
  try {
    await Promise.race([queues.sendMail({ mailId }), timeout.promise]);
  } catch (error) {
    log.warn({ err: error, mailId }, "a mail could not be enqueued; deliverDueMails will send it");
  } finally {
    clearTimeout(timer);
  }
}
