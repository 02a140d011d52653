import { sql } from "drizzle-orm";
import * as v from "valibot";
import { webhookFormats } from "#db/lists/webhooks.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import type { Deps } from "#src/base/deps.ts";
import { isTold } from "./told-sessions.ts";

/** How long a process that sends a message reserves it: longer than the receiver may take. */
const CLAIM_SECONDS = 60;

const claimedRow = v.object({
  id: v.pipe(v.string(), v.toNumber()),
  webhookId: v.pipe(v.string(), v.toNumber()),
  isTest: v.boolean(),
  type: v.string(),
  body: v.string(),
  attempts: v.number(),
  url: v.string(),
  /** One of a newer release is not known here. */
  format: v.fallback(v.picklist(webhookFormats), "json"),
  secretSalt: v.string(),
  /** Null if it does not sign any more. */
  previousSalt: v.nullable(v.string()),
  atSeconds: v.pipe(v.string(), v.toNumber()),
});
/** A delivery that this process sends now. */
export type ClaimedDelivery = v.InferOutput<typeof claimedRow>;

const NOT_TOLD = "This webhook is not told about the session.";
const told = isTold({ type: sql`d.type`, body: sql`d.body` });

const waitRow = v.object({ waitMs: v.number() });

/**
 * Claims a delivery that is due: of several processes that try at the same time one sends it. One whose webhook is not told about the
 * session any more is given up.
 * @returns the delivery; or the milliseconds until it is due, null if it is over or unknown.
 */
export async function claimDelivery(
  { pool: { db } }: Pick<Deps, "pool">,
  deliveryId: number,
): Promise<ClaimedDelivery | number | null> {
  await db.execute(sql`
    UPDATE ${webhookDeliveries} d SET failed_at = game_now(), error = ${NOT_TOLD}
    FROM ${webhooks} w
    WHERE d.id = ${deliveryId} AND w.id = d.webhook_id AND d.delivered_at IS NULL AND d.failed_at IS NULL AND NOT ${told}`);
  const [claimed] = await db.execute(sql`
    UPDATE ${webhookDeliveries} d SET attempts = d.attempts + 1, attempted_at = game_now(), error = NULL,
      due_at = game_now() + make_interval(secs => ${CLAIM_SECONDS})
    FROM ${webhooks} w
    WHERE d.id = ${deliveryId} AND w.id = d.webhook_id
      AND d.delivered_at IS NULL AND d.failed_at IS NULL AND d.due_at <= game_now() AND ${told}
    RETURNING d.id, d.webhook_id AS "webhookId", d.fact_id IS NULL AS "isTest", d.type, d.body, d.attempts, w.url, w.format,
      w.secret_salt AS "secretSalt",
      CASE WHEN w.previous_until > game_now() THEN w.previous_salt END AS "previousSalt",
      floor(extract(epoch FROM game_now()))::bigint AS "atSeconds"`);
  if (claimed !== undefined) return v.parse(claimedRow, claimed);
  const [waiting] = await db.execute(sql`
    SELECT greatest(extract(epoch FROM due_at - game_now()) * 1000, 0)::float8 AS "waitMs"
    FROM ${webhookDeliveries}
    WHERE id = ${deliveryId} AND delivered_at IS NULL AND failed_at IS NULL`);
  return waiting === undefined ? null : Math.ceil(v.parse(waitRow, waiting).waitMs);
}

/** Gives a claimed delivery back, which was not sent: it is due again after this time. @returns the milliseconds until then. */
export async function postponeDelivery(
  { pool: { db } }: Pick<Deps, "pool">,
  { id }: Pick<ClaimedDelivery, "id">,
  waitMs: number,
): Promise<number> {
  await db.execute(sql`
    UPDATE ${webhookDeliveries} SET attempts = attempts - 1, due_at = game_now() + make_interval(secs => ${waitMs / 1_000})
    WHERE id = ${id} AND delivered_at IS NULL AND failed_at IS NULL`);
  return waitMs;
}
