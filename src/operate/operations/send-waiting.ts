import type { Deps } from "#src/base/deps.ts";
import { retryFailingRows } from "#src/base/try-rows.ts";
import { sendWaitingMails } from "#src/mail/waiting-mails.ts";
import { sendWaitingDeliveries } from "#src/webhooks/waiting-deliveries.ts";

/**
 * Sends the mails and the messages to webhooks that wait for their next attempt, and tries rows again whose
 * work has failed. Push messages are not in it: they are tried again within seconds anyway.
 */
export async function sendWaiting(deps: Pick<Deps, "pool" | "queues" | "log">): Promise<void> {
  const { db } = deps.pool;
  await Promise.all([sendWaitingMails(db), sendWaitingDeliveries(deps), retryFailingRows(db)]);
}
