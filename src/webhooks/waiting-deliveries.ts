import { and, asc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import type { Deps } from "#src/base/deps.ts";
import type { ClaimedDelivery } from "./claim-delivery.ts";
import { type Committed, enqueueDeliveries } from "./enqueue-deliveries.ts";

/** A message is usually sent within seconds. */
const UNSENT_MAX_SECONDS = 60;
/** How many of the newest messages are searched for one that has arrived. */
const NEWEST = 1_000;

const { attempts, attemptedAt, createdAt, deliveredAt, dueAt, error, failedAt, id, webhookId } =
  webhookDeliveries;
const isUnsent = and(isNull(deliveredAt), isNull(failedAt));
/** An attempt clears the error when it begins, so no process is sending these at the moment. */
const hasFailed = and(isUnsent, isNotNull(error));

/** How many messages wait: not sent, and tried before or older than a minute. */
export function countWaitingDeliveries(db: Queryable): Promise<number> {
  const isOld = sql`${createdAt} < clock_timestamp() - make_interval(secs => ${UNSENT_MAX_SECONDS})`;
  return db.$count(webhookDeliveries, and(isUnsent, or(isNotNull(error), gt(attempts, 1), isOld)));
}

/** A webhook that is on and whose last attempts have all failed. */
export type FailingWebhook = {
  id: number;
  name: string;
  failingSince: Date;
  /** How many messages wait for it. */
  waiting: number;
  /** Why the last attempt failed; null while it is tried. */
  reason: string | null;
  /** When the next message is sent. */
  nextAt: Date | null;
};

/** Those webhooks, the one that fails for the longest first. */
export async function listFailingWebhooks(db: Queryable): Promise<FailingWebhook[]> {
  const rows = await db
    .select({
      id: webhooks.id,
      name: webhooks.name,
      failingSince: webhooks.failingSince,
      waiting: sql<number>`count(${id})::int`,
      reason: sql<
        string | null
      >`(array_agg(${error} ORDER BY ${attemptedAt} DESC) FILTER (WHERE ${error} IS NOT NULL))[1]`,
      nextAt: sql`min(${dueAt})`.mapWith(dueAt),
    })
    .from(webhooks)
    .leftJoin(webhookDeliveries, and(eq(webhookId, webhooks.id), isUnsent))
    .where(and(isNull(webhooks.disabledAt), isNotNull(webhooks.failingSince)))
    .groupBy(webhooks.id)
    .orderBy(asc(webhooks.failingSince));
  return rows.flatMap(({ failingSince, ...row }) =>
    failingSince === null ? [] : [{ ...row, failingSince }],
  );
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

/** What comes after an outage comes in the order in which it was written, and not all at once. */
const EACH_AFTER_MS = 50;
const dueRow = v.object({ id: v.pipe(v.string(), v.toNumber()), attempts: v.number() });

/** Makes messages due, one after the other. @returns them in that order, with the number of their attempts so far. */
async function makeDue(db: Queryable, which: SQL): Promise<Committed[]> {
  const rows = await db.execute(sql`
    WITH line AS (
      SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM ${webhookDeliveries}
      WHERE ${hasFailed} AND ${dueAt} > game_now() AND ${which}
    ), due AS (
      UPDATE ${webhookDeliveries} SET due_at = game_now() + line.place * ${EACH_AFTER_MS} * interval '1 ms',
        attempts = greatest(${attempts} - 1, 0)
      FROM line WHERE ${id} = line.id AND ${hasFailed}
      RETURNING ${id}, ${attempts} + 1 AS attempts
    ) SELECT id::text, attempts FROM due ORDER BY due.id`);
  return v.parse(v.array(dueRow), [...rows]);
}

const placeRow = v.tuple([
  v.object({ ageSeconds: v.number(), awaySeconds: v.number(), isFirst: v.boolean() }),
]);

/**
 * How old a message is, for how long its receiver has failed, and whether it is the first of those that wait for a receiver that has
 * taken none since they were written.
 */
export async function placeInLine(
  db: Queryable,
  deliveryId: number,
): Promise<{ ageSeconds: number; awaySeconds: number; isFirst: boolean }> {
  const rows = await db.execute(sql`
    SELECT extract(epoch FROM game_now() - d.created_at)::float8 AS "ageSeconds",
      extract(epoch FROM game_now() - coalesce(w.failing_since, game_now()))::float8 AS "awaySeconds",
      d.created_at > coalesce(taken.at, '-infinity') AND NOT EXISTS (
        SELECT FROM webhook_deliveries o WHERE o.webhook_id = d.webhook_id AND o.id < d.id AND o.delivered_at IS NULL
          AND o.failed_at IS NULL AND o.created_at > coalesce(taken.at, '-infinity')
      ) AS "isFirst"
    FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id CROSS JOIN LATERAL (
        SELECT max(newest.delivered_at) AS at FROM (
          SELECT delivered_at FROM webhook_deliveries WHERE webhook_id = d.webhook_id ORDER BY id DESC LIMIT ${NEWEST}
        ) newest
      ) taken
    WHERE d.id = ${deliveryId}`);
  return v.parse(placeRow, [...rows])[0];
}
