import { eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { auditedValues, auditWebhook } from "./audit-webhook.ts";
import { lockWebhook } from "./find-webhook.ts";

/** Deletes a webhook with its log. Refuses an unknown one: 404. */
export async function deleteWebhook(
  { pool }: Pick<Deps, "pool">,
  { id, actor }: { id: number; actor: Actor },
): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    const row = await lockWebhook(tx, id);
    await tx.delete(webhooks).where(eq(webhooks.id, id));
    await auditWebhook(tx, { actor, action: "delete_webhook", webhookId: id, before: auditedValues(row) });
  });
}
