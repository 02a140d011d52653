import { eq, sql } from "drizzle-orm";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { enqueueDeliveries } from "./enqueue-deliveries.ts";
import { presentDelivery } from "./list-deliveries.ts";
import type { DeliveryView } from "./schemas.ts";

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
