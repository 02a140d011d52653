import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { auditWebhook } from "./audit-webhook.ts";
import { ROTATION_HOURS } from "./contract.ts";
import { lockWebhook, presentWebhook } from "./find-webhook.ts";
import type { WebhookSecretAnswer } from "./schemas.ts";
import { createSalt, secretOf } from "./sign-body.ts";

/** Gives a webhook a new secret. The one before signs too for 24 hours. Refuses an unknown webhook: 404. */
export async function rotateSecret(
  { env, pool }: Pick<Deps, "env" | "pool">,
  { id, actor, now }: { id: number; actor: Actor; now: Date },
): Promise<WebhookSecretAnswer> {
  const secretSalt = createSalt();
  const row = await inTransaction(pool.db, async (tx) => {
    const before = await lockWebhook(tx, id);
    const [after = before] = await tx
      .update(webhooks)
      .set({
        secretSalt,
        previousSalt: before.secretSalt,
        previousUntil: sql`game_now() + make_interval(hours => ${ROTATION_HOURS})`,
      })
      .where(eq(webhooks.id, id))
      .returning();
    await auditWebhook(tx, { actor, action: "rotate_webhook_secret", webhookId: id });
    return after;
  });
  return { webhook: await presentWebhook(pool.db, row, now), secret: secretOf(env, secretSalt) };
}
