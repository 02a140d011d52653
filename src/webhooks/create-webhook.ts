import { eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once, stillThere } from "#src/base/once.ts";
import { invalid } from "#src/base/refusal.ts";
import { auditedValues, auditWebhook } from "./audit-webhook.ts";
import { WEBHOOKS_MAX } from "./contract.ts";
import { findNamedIds } from "./find-named-ids.ts";
import { presentWebhook } from "./find-webhook.ts";
import type { NewWebhookBody, WebhookSecretAnswer } from "./schemas.ts";
import { createSalt, secretOf } from "./sign-body.ts";
import { requireWebhookAddress } from "./webhook-address.ts";

/** Adds a webhook. Refuses an address that messages may not be sent to, an unknown session, and one webhook too many: 422. */
export async function createWebhook(
  { env, pool }: Pick<Deps, "env" | "pool">,
  { now, ...order }: NewWebhook & { now: Date },
  keyed: MaybeKeyed = null,
): Promise<WebhookSecretAnswer> {
  requireWebhookAddress(env, order.url);
  const row = await inTransaction(pool.db, async (tx) => {
    const { id } = await once(tx, keyed, madeRow, () => insertWebhook(tx, order));
    return stillThere(await tx.select().from(webhooks).where(eq(webhooks.id, id)));
  });
  return { webhook: await presentWebhook(pool.db, row, now), secret: secretOf(env, row.secretSalt) };
}

type NewWebhook = NewWebhookBody & { actor: Actor };

async function insertWebhook(
  tx: Transaction,
  { actor, sessions: named = [], ...terms }: NewWebhook,
): Promise<{ id: number }> {
  // Two admins who add the last one at once: the second waits.
  await tx.execute(sql`LOCK TABLE ${webhooks} IN SHARE ROW EXCLUSIVE MODE`);
  if ((await tx.$count(webhooks)) >= WEBHOOKS_MAX) throw tooMany();
  const [made] = await tx
    .insert(webhooks)
    .values({ ...terms, sessionIds: await findNamedIds(tx, named), secretSalt: createSalt() })
    .returning();
  if (made === undefined) throw new Error("the insert of a webhook returned no row");
  await auditWebhook(tx, {
    actor,
    action: "create_webhook",
    webhookId: made.id,
    after: auditedValues(made),
  });
  return { id: made.id };
}

function tooMany() {
  return invalid(
    { webhook: [`is one too many (maximum is ${WEBHOOKS_MAX})`] },
    { detail: "Delete one that is not needed any more." },
  );
}
