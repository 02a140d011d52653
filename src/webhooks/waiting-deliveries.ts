import { and, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import type { Deps } from "#src/base/deps.ts";
import type { ClaimedDelivery } from "./claim-delivery.ts";
import { type Committed, enqueueDeliveries } from "./enqueue-deliveries.ts";

/** A message is usually sent within seconds. */
const UNSENT_MAX_SECONDS = 60;
/** How many of the newest messages are searched for one that has arrived. */
const NEWEST = 1_000;

const { attempts, createdAt, deliveredAt, dueAt, error, failedAt, id, webhookId } = webhookDeliveries;
const isUnsent = and(isNull(deliveredAt), isNull(failedAt));
/** An attempt clears the error when it begins, so no process is sending these at the moment. */
const hasFailed = and(isUnsent, isNotNull(error));

/** How many messages wait: not sent, and tried before or older than a minute. */
export function countWaitingDeliveries(db: Queryable): Promise<number> {
  const isOld = sql`${createdAt} < clock_timestamp() - make_interval(secs => ${UNSENT_MAX_SECONDS})`;
  return db.$count(webhookDeliveries, and(isUnsent, or(isNotNull(error), gt(attempts, 1), isOld)));
}

/**
 * Sends the messages that have failed and wait for their next attempt. It is no attempt more, so that being asked often does not
 * bring a message nearer to being given up.
 */
export async function sendWaitingDeliveries(deps: Pick<Deps, "pool" | "queues" | "log">): Promise<void> {
  await enqueueDeliveries(deps, await makeDue(deps.pool.db, sql`true`));
}

/**
 * Makes those messages to a webhook due of which none has arrived since they were written: its receiver works again. So a message that
 * the receiver refuses, while it takes others, keeps its own times.
 * @param success what has arrived now.
 * @returns what the caller enqueues after the commit.
 */
export function makeDueAfterOutage(
  tx: Queryable,
  success: Pick<ClaimedDelivery, "webhookId" | "atSeconds">,
): Promise<Committed[]> {
  return makeDue(
    tx,
    sql`${webhookId} = ${success.webhookId} AND ${createdAt} > coalesce((
      SELECT max(newest.delivered_at) FROM (
        SELECT delivered_at FROM webhook_deliveries WHERE webhook_id = ${success.webhookId} ORDER BY id DESC LIMIT ${NEWEST}
      ) newest WHERE newest.delivered_at < to_timestamp(${success.atSeconds})), '-infinity')`,
  );
}

/** @returns them with the number of their attempts so far. */
function makeDue(db: Queryable, which: ReturnType<typeof sql>): Promise<Committed[]> {
  return db
    .update(webhookDeliveries)
    .set({ dueAt: sql`game_now()`, attempts: sql`greatest(${attempts} - 1, 0)` })
    .where(and(hasFailed, gt(dueAt, sql`game_now()`), which))
    .returning({ id, attempts: sql<number>`${attempts} + 1` });
}
