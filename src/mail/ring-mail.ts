import type { Deps } from "#src/deps.ts";

/** Has a mail that was just committed sent at once. While Redis is away it goes out with the next look for due mails. */
export async function ringMail({ queues, log }: Pick<Deps, "queues" | "log">, mailId: number): Promise<void> {
  try {
    await queues.sendMail({ mailId });
  } catch (error) {
    log.warn({ err: error, mailId }, "a mail waits for the next look");
  }
}
