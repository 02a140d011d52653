import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks.ts";
import type { Deps } from "#src/base/deps.ts";
import { outagePauseSeconds } from "#src/base/outage-pause.ts";
import { notifyStaff } from "#src/people/notifications/notify-staff.ts";
import { auditWebhook } from "./audit-webhook.ts";
import type { ClaimedDelivery } from "./claim-delivery.ts";
import { FAILING_HOURS_MAX, RETRY_AFTER_SECONDS, RETRY_SECONDS } from "./contract.ts";
import { enqueueDeliveries } from "./enqueue-deliveries.ts";
import type { Failure } from "./find-failure.ts";
import { giveUpWaiting } from "./give-up-waiting.ts";
import { makeDueAfterOutage, placeInLine } from "./waiting-deliveries.ts";

/** What came of an attempt. */
export type Attempt = { status: number | null; answer: string | null; tookMs: number };

type RecordDeps = Pick<Deps, "pool" | "notifyRelay">;

/** Records that a message has arrived. If it is the first one after failures, it sends what waits for the webhook too. */
export async function recordSuccess(
  deps: Pick<Deps, "pool" | "queues" | "log">,
  { id, webhookId, atSeconds }: ClaimedDelivery,
  attempt: Attempt,
): Promise<void> {
  const waiting = await inTransaction(deps.pool.db, async (tx) => {
    await tx
      .update(webhookDeliveries)
      .set({ ...attempt, error: null, deliveredAt: sql`game_now()` })
      .where(eq(webhookDeliveries.id, id));
    const recovered = await tx
      .update(webhooks)
      .set({ failingSince: null })
      .where(and(eq(webhooks.id, webhookId), isNotNull(webhooks.failingSince)))
      .returning({ id: webhooks.id });
    return recovered.length === 0 ? [] : makeDueAfterOutage(tx, { webhookId, atSeconds });
  });
  await enqueueDeliveries(deps, waiting);
}

/**
 * Records that a message has not arrived. It is tried again, unless it was the last attempt or a test. A webhook that has failed
 * for a day is switched off, and the admins are notified.
 * @returns the milliseconds until the next attempt; null if there is none.
 */
export async function recordFailure(
  deps: RecordDeps,
  delivery: ClaimedDelivery,
  { attempt, failure }: { attempt: Attempt; failure: Failure },
): Promise<number | null> {
  const { id, webhookId, isTest } = delivery;
  const { isOff, next } = await inTransaction(deps.pool.db, async (tx) => {
    // The webhook first, as where it is switched off by hand.
    // Who says when to ask again is there.
    const counts = !isTest && typeof failure.retry === "string";
    const switchedOff = counts ? await countFailure(tx, webhookId) : false;
    const again = isTest ? null : await nextAttempt(tx, delivery, failure);
    const changes =
      again === null
        ? { failedAt: sql`game_now()` }
        : { attempts: again.attempts, dueAt: sql`game_now() + make_interval(secs => ${again.waitSeconds})` };
    await tx
      .update(webhookDeliveries)
      .set({ ...attempt, error: failure.error, ...changes })
      .where(and(eq(webhookDeliveries.id, id), isNull(webhookDeliveries.failedAt)));
    if (switchedOff) await giveUpWaiting(tx, webhookId);
    return { isOff: switchedOff, next: again };
  });
  if (isOff) deps.notifyRelay();
  return isOff || next === null ? null : next.waitSeconds * 1_000;
}

/**
 * When a message is tried again, and as which attempt. The first in line asks whether its receiver is back, which is no attempt more,
 * and neither is one that the receiver has put off.
 * @returns null if it is given up.
 */
async function nextAttempt(
  tx: Transaction,
  { id, attempts }: ClaimedDelivery,
  { retry }: Failure,
): Promise<{ waitSeconds: number; attempts: number } | null> {
  if (retry === "never") return null;
  const { ageSeconds, awaySeconds, isFirst } = await placeInLine(tx, id);
  if (typeof retry === "object")
    return ageSeconds < RETRY_SECONDS
      ? { waitSeconds: retry.afterSeconds, attempts: Math.max(1, attempts - 1) }
      : null;
  if (isFirst)
    return ageSeconds < RETRY_SECONDS
      ? { waitSeconds: outagePauseSeconds(awaySeconds), attempts: Math.max(1, attempts - 1) }
      : null;
  const waitSeconds = RETRY_AFTER_SECONDS[attempts - 1];
  return waitSeconds === undefined ? null : { waitSeconds, attempts };
}

/** @returns whether the webhook is switched off now. */
async function countFailure(tx: Transaction, webhookId: number): Promise<boolean> {
  const [webhook] = await tx
    .update(webhooks)
    .set({ failingSince: sql`coalesce(${webhooks.failingSince}, game_now())` })
    .where(eq(webhooks.id, webhookId))
    .returning({
      name: webhooks.name,
      isOver: sql<boolean>`${webhooks.disabledAt} IS NULL
        AND ${webhooks.failingSince} <= game_now() - make_interval(hours => ${FAILING_HOURS_MAX})`,
    });
  if (webhook?.isOver !== true) return false;
  await tx
    .update(webhooks)
    .set({ disabledAt: sql`game_now()` })
    .where(eq(webhooks.id, webhookId));
  await auditWebhook(tx, {
    actor: null,
    action: "disable_webhook",
    webhookId,
    before: { enabled: true },
    after: { enabled: false },
  });
  const title = `The webhook ${webhook.name} was switched off`;
  const body = "It has taken no message for a day. Repair its receiver, send a test, and switch it on again.";
  await notifyStaff(tx, { title, body, url: "/admin/webhooks" }, ["admin"]);
  return true;
}
