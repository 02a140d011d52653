import { eq, sql } from "drizzle-orm";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once, stillThere } from "#src/base/once.ts";
import { invalid } from "#src/base/refusal.ts";
import { findSessionId } from "#src/play/find-session-id.ts";
import { ROTATION_HOURS, WEBHOOKS_MAX } from "./contract.ts";
import { giveUpWaiting } from "./deliver-webhook.ts";
import { auditedValues, auditWebhook, lockWebhook, presentWebhook } from "./find-webhook.ts";
import type { ChangeWebhookBody, NewWebhookBody, WebhookSecretAnswer, WebhookView } from "./schemas.ts";
import { createSalt, requireWebhookAddress, secretOf } from "./sign-body.ts";

type Change = { id: number; actor: Actor; now: Date; changes: ChangeWebhookBody };

/** Switched off, a webhook gives up what waits for it; switched on, it starts with a clean record. Refuses an unknown one (404), a wrong address or session (422). */
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
        kinds: terms.kinds ?? before.kinds,
        ...(named !== undefined && { sessionIds: await findNamedIds(tx, named) }),
        ...(isSwitched ? switched : {}),
      })
      .where(eq(webhooks.id, id))
      .returning();
    if (isSwitched && enabled === false) await giveUpWaiting(tx, id);
    const change = { before: auditedValues(before), after: auditedValues(after) };
    await auditWebhook(tx, { actor, action: "change_webhook", webhookId: id, ...change });
    return presentWebhook(tx, after, now);
  });
}

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
  const { id } = made;
  await auditWebhook(tx, { actor, action: "create_webhook", webhookId: id, after: auditedValues(made) });
  return { id };
}

function tooMany() {
  return invalid(
    { webhook: [`is one too many (maximum is ${WEBHOOKS_MAX})`] },
    { detail: "Delete one that is not needed any more." },
  );
}

/** The ids of sessions that are named by slug or id. Refuses an unknown one: 422. */
async function findNamedIds(db: Queryable, named: readonly string[]): Promise<number[]> {
  const ids = await Promise.all(named.map((slugOrId) => findSessionId(db, slugOrId, "host")));
  const unknown = named.find((_, index) => ids[index] === null);
  if (unknown !== undefined)
    throw invalid({ sessions: ["must exist"] }, { detail: `No session has the slug or id ${unknown}.` });
  return [...new Set(ids.filter((id) => id !== null))];
}
