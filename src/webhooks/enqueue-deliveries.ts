import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import type { Deps } from "#src/base/deps.ts";
import { isTold } from "./told-sessions.ts";

/** The relay waits no longer than this for a Redis that does not reply. */
const ENQUEUE_TIMEOUT_MS = 1_000;

/** Deliveries that were just committed, with the number of attempts so far: a new attempt is another job. */
export type Committed = { id: number; attempts: number };

const writtenRow = v.object({ id: v.pipe(v.string(), v.toNumber()) });

/** Sends deliveries at once. What Redis does not accept is found by deliverDueWebhooks. */
export async function enqueueDeliveries(
  { queues, log }: Pick<Deps, "queues" | "log">,
  deliveries: readonly Committed[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new Error("Redis did not reply in time")),
    ENQUEUE_TIMEOUT_MS,
  );
  try {
    const added = deliveries.map(({ id, attempts }) => queues.deliverWebhook({ deliveryId: id }, attempts));
    await Promise.race([Promise.all(added), timeout.promise]);
  } catch (error) {
    log.warn({ err: error }, "messages to webhooks could not be enqueued; deliverDueWebhooks will send them");
  } finally {
    clearTimeout(timer);
  }
}

// Decision: a webhook gets what the cable broadcasts, byte for byte. Its JSON has the offset of the stream, so that a receiver can
// order what arrives out of order.

/**
 * A fact as it was broadcast: its id in the outbox, the name of its message, and the message's JSON. `wasPrivate`: it is that a private
 * session was deleted.
 */
export type BroadcastFact = { factId: number; type: string; body: string; wasPrivate: boolean };

/**
 * Writes a delivery of each fact to each webhook that is on and is told about its session, in the transaction that marks the facts as broadcast. So a crash
 * loses none, and a fact that is broadcast twice is still one delivery.
 * @returns the ids of the deliveries, for enqueueDeliveries after the commit.
 */
export async function writeDeliveries(tx: Transaction, facts: readonly BroadcastFact[]): Promise<number[]> {
  if (facts.length === 0) return [];
  const rows = await tx.execute(sql`
    INSERT INTO ${webhookDeliveries} (webhook_id, fact_id, type, body)
    SELECT w.id, fact."factId", fact.type, fact.body
    FROM jsonb_to_recordset(${JSON.stringify(facts)}::text::jsonb) AS fact("factId" bigint, type text, body text, "wasPrivate" boolean)
      CROSS JOIN ${webhooks} w
    WHERE w.disabled_at IS NULL
      AND ${isTold({ type: sql`fact.type`, body: sql`fact.body` }, sql`fact."wasPrivate"`)}
    ORDER BY fact."factId", w.id
    ON CONFLICT DO NOTHING
    RETURNING id`);
  return [...rows].map((row) => v.parse(writtenRow, row).id);
}
