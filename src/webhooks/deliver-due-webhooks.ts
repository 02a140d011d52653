import { and, asc, isNull, lt, sql } from "drizzle-orm";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";
import { DELIVERY_DAYS } from "./contract.ts";
import { deliverWebhook } from "./deliver-webhook.ts";

const BATCH_SIZE_MAX = 20;
/** A message that was enqueued is normally sent within this time. */
const OVERDUE_SECONDS = 10;

/** Sends messages that are overdue, because Redis was away or lost its jobs, or the process that should have sent them died. */
export async function deliverDueWebhooks(
  deps: Pick<Deps, "env" | "pool" | "queues" | "log" | "notifyRelay">,
): Promise<void> {
  // While Redis is away nobody knows, and messages are sent.
  if (await deps.queues.byName.webhooks.isPaused().catch(() => false)) return;
  const { deliveredAt, failedAt, dueAt } = webhookDeliveries;
  const overdue = sql`game_now() - make_interval(secs => ${OVERDUE_SECONDS})`;
  const due = await deps.pool.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(isNull(deliveredAt), isNull(failedAt), lt(dueAt, overdue)))
    .orderBy(asc(dueAt))
    .limit(BATCH_SIZE_MAX);
  // Together, because each may wait for a slow receiver.
  await Promise.all(due.map(({ id }) => deliverWebhook(deps, id)));
}

/** Deletes deliveries that are over and too old to be listed. */
export async function pruneDeliveries({ pool }: Pick<Deps, "pool">): Promise<void> {
  const { createdAt, deliveredAt, failedAt } = webhookDeliveries;
  await deleteOldRows(pool.db, {
    table: webhookDeliveries,
    old: sql`${createdAt} < ${ago(DELIVERY_DAYS, "days")} AND (${deliveredAt} IS NOT NULL OR ${failedAt} IS NOT NULL)`,
  });
}
