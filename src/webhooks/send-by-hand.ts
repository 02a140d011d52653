import { eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once, stillThere } from "#src/base/once.ts";
import { notFound } from "#src/base/refusal.ts";
import { PING_TYPE } from "./contract.ts";
import { enqueueDeliveries } from "./enqueue-deliveries.ts";
import { lockWebhook } from "./find-webhook.ts";
import { presentDelivery } from "./list-deliveries.ts";
import type { DeliveryView } from "./schemas.ts";

/** Sends a test to a webhook. It is tried once, because an admin looks on. Refuses an unknown webhook: 404. */
export async function pingWebhook(
  deps: Pick<Deps, "pool" | "queues" | "log">,
  webhook: { id: number; now: Date },
  keyed: MaybeKeyed = null,
): Promise<DeliveryView> {
  const row = await inTransaction(deps.pool.db, async (tx) => {
    const { id } = await once(tx, keyed, madeRow, () => insertPing(tx, webhook));
    return stillThere(await tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)));
  });
  await enqueueDeliveries(deps, [row]);
  return presentDelivery(row);
}

async function insertPing(tx: Transaction, { id, now }: { id: number; now: Date }): Promise<{ id: number }> {
  const { name } = await lockWebhook(tx, id);
  const [sourceType, eventType] = PING_TYPE.split("/");
  const detail = { webhook: { id, name }, serverTime: now.toISOString() };
  const body = JSON.stringify({ sourceType, eventType, detail });
  const [written] = await tx
    .insert(webhookDeliveries)
    .values({ webhookId: id, type: PING_TYPE, body })
    .returning({ id: webhookDeliveries.id });
  if (written === undefined) throw new Error("the insert of a delivery returned no row");
  return written;
}

/** Sends a delivery again, now, however far it has come. Refuses an unknown one: 404. */
export async function resendDelivery(
  deps: Pick<Deps, "pool" | "queues" | "log">,
  id: number,
): Promise<DeliveryView> {
  const [row] = await deps.pool.db
    .update(webhookDeliveries)
    .set({ dueAt: sql`game_now()`, deliveredAt: null, failedAt: null })
    .where(eq(webhookDeliveries.id, id))
    .returning();
  if (row === undefined) throw notFound();
  await enqueueDeliveries(deps, [row]);
  return presentDelivery(row);
}
