import type { Deps } from "#src/base/deps.ts";
import { sendWaitingNow } from "#src/base/due-rows.ts";
import { retryFailingRows } from "#src/base/try-rows.ts";
import { mailRows } from "#src/mail/write-mail.ts";
import { deliveryRows } from "#src/webhooks/deliver-webhook.ts";

/**
 * Sends the mails and the messages to webhooks that wait for their next attempt, and tries rows again whose
 * work has failed. Push messages are not in it: they are tried again within seconds anyway.
 */
export async function sendWaiting(deps: Pick<Deps, "pool" | "queues" | "log">): Promise<void> {
  const waiting = [mailRows, deliveryRows].map((rows) => sendWaitingNow(deps, rows));
  await Promise.all([...waiting, retryFailingRows(deps.pool.db)]);
}
