import { and, eq, isNull, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";

/** Gives up what waits for a webhook, in the transaction that switches it off. Each can be sent again by hand. */
export async function giveUpWaiting(tx: Transaction, webhookId: number): Promise<void> {
  const { webhookId: ofWebhook, deliveredAt, failedAt } = webhookDeliveries;
  await tx
    .update(webhookDeliveries)
    .set({ failedAt: sql`game_now()`, error: "The webhook was switched off." })
    .where(and(eq(ofWebhook, webhookId), isNull(deliveredAt), isNull(failedAt)));
}
