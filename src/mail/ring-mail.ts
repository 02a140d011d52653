import type { Deps } from "#src/base/deps.ts";

/** Nobody waits longer for a Redis that does not answer. */
const RING_WITHIN_MS = 1_000;

/** Has a mail that was just committed sent at once. While Redis is away it goes out with the next look for due mails. */
export async function ringMail({ queues, log }: Pick<Deps, "queues" | "log">, mailId: number): Promise<void> {
  const tooLong = Promise.withResolvers<never>();
  const timer = setTimeout(() => tooLong.reject(new Error("Redis does not answer")), RING_WITHIN_MS);
  try {
    await Promise.race([queues.sendMail({ mailId }), tooLong.promise]);
  } catch (error) {
    log.warn({ err: error, mailId }, "a mail waits for the next look");
  } finally {
    clearTimeout(timer);
  }
}
