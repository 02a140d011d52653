import { desc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import { notFound } from "#src/base/refusal.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import type { DeliveryState } from "./contract.ts";
import type { DeliveriesAnswer, DeliveryView } from "./schemas.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** A page of what was sent to a webhook, newest first. Refuses an unknown webhook: 404. */
export async function listDeliveries(
  db: Queryable,
  { webhookId, page }: { webhookId: number; page: Page },
  now: Date,
): Promise<DeliveriesAnswer> {
  const ofWebhook = eq(webhookDeliveries.webhookId, webhookId);
  const [known, total, rows] = await Promise.all([
    db.$count(webhooks, eq(webhooks.id, webhookId)),
    db.$count(webhookDeliveries, ofWebhook),
    db
      .select()
      .from(webhookDeliveries)
      .where(ofWebhook)
      .orderBy(desc(webhookDeliveries.id))
      .limit(page.perPage)
      .offset(page.offset),
  ]);
  if (known === 0) throw notFound();
  return { deliveries: rows.map(presentDelivery), meta: listMeta(page, total, now) };
}

/** A delivery as an admin reads it. */
export function presentDelivery(row: DeliveryRow): DeliveryView {
  const { id, webhookId, type, attempts, status, error, answer, tookMs } = row;
  const state = stateOf(row);
  return {
    id,
    webhookId,
    type,
    state,
    attempts,
    dueAt: state === "waiting" ? row.dueAt.toISOString() : null,
    attemptedAt: row.attemptedAt?.toISOString() ?? null,
    status,
    error,
    answer,
    tookMs,
    createdAt: row.createdAt.toISOString(),
  };
}

function stateOf({ deliveredAt, failedAt }: DeliveryRow): DeliveryState {
  if (deliveredAt !== null) return "delivered";
  return failedAt === null ? "waiting" : "failed";
}
