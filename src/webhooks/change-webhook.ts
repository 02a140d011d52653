import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { auditedValues, auditWebhook } from "./audit-webhook.ts";
import { findNamedIds } from "./find-named-ids.ts";
import { lockWebhook, presentWebhook } from "./find-webhook.ts";
import { giveUpWaiting } from "./give-up-waiting.ts";
import type { ChangeWebhookBody, WebhookView } from "./schemas.ts";
import { requireWebhookAddress } from "./webhook-address.ts";

type Change = { id: number; actor: Actor; now: Date; changes: ChangeWebhookBody };

/**
 * Renames a webhook, changes its address, format or sessions, or switches it off or on. Switched off, it gives up what waits for it; switched on, it
 * starts with a clean record. Refuses an unknown one (404), an address that messages may not be sent to and an unknown session (422).
 */
export async function changeWebhook(
  { env, pool }: Pick<Deps, "env" | "pool">,
  { id, actor, now, changes: { enabled, sessions: named, ...terms } }: Change,
): Promise<WebhookView> {
  if (terms.url !== undefined) requireWebhookAddress(env, terms.url);
  return inTransaction(pool.db, async (tx) => {
    const before = await lockWebhook(tx, id);
    const isSwitched = enabled !== undefined && enabled !== (before.disabledAt === null);
    const switched =
      enabled === true ? { disabledAt: null, failingSince: null } : { disabledAt: sql`game_now()` };
    const [after = before] = await tx
      .update(webhooks)
      .set({
        name: terms.name ?? before.name,
        url: terms.url ?? before.url,
        format: terms.format ?? before.format,
        ...(named !== undefined && { sessionIds: await findNamedIds(tx, named) }),
        ...(isSwitched ? switched : {}),
      })
      .where(eq(webhooks.id, id))
      .returning();
    if (isSwitched && enabled === false) await giveUpWaiting(tx, id);
    await auditWebhook(tx, {
      actor,
      action: "change_webhook",
      webhookId: id,
      before: auditedValues(before),
      after: auditedValues(after),
    });
    return presentWebhook(tx, after, now);
  });
}
