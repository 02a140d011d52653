import { and, asc, eq, gt, inArray, or, type SQLWrapper, sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Queryable } from "#db/client.ts";
import { listSettlements } from "#db/ledger/list-settlements.ts";
import { calls } from "#db/schema/calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import type { PushOrder, PushSource } from "#jobs/queues.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Fact } from "#src/base/outbox/write-fact.ts";

/** Rows per statement, and jobs that are added at once. */
const BATCH_SIZE = 1_000;

/**
 * Adds a job for each browser that shows a message about this. Running it again adds the jobs that are not queued any more; a
 * second message replaces the first one in the browser.
 */
export async function fanOutPushes(
  { pool, queues }: Pick<Deps, "pool" | "queues">,
  source: PushSource,
): Promise<void> {
  // A correction comes with a notification of its own.
  if (source.about === "event" && (await listSettlements(pool.db, source.id)).length > 1) return;
  for (let afterId = 0; ;) {
    const orders = await findOrders(pool.db, source, afterId);
    await Promise.all(orders.map((order) => queues.sendPush(order)));
    if (orders.length < BATCH_SIZE) return;
    afterId = orders.at(-1)?.subscriptionId ?? 0;
  }
}

/** The next browsers, by their subscriptions' ids. */
function findOrders(db: Queryable, source: PushSource, afterId: number): Promise<PushOrder[]> {
  switch (source.about) {
    case "session":
      return findForSession(db, source.id, afterId);
    case "event":
      return findForEvent(db, source, afterId);
    case "notifications":
      return findForNotifications(db, source.ids);
  }
}

/** All who asked to hear of sessions, registered or not. Who is deactivated has no browser any more. */
async function findForSession(db: Queryable, id: number, afterId: number): Promise<PushOrder[]> {
  const rows = await findBrowsers(db, pushSubscriptions.sessionLive, afterId);
  return rows.map((row) => ({ ...row, about: "session", id }));
}

/** The players who won or lost. A refund comes with a notification of its own. */
async function findForEvent(
  db: Queryable,
  { id, fromUserId = 0, toUserId = Number.MAX_SAFE_INTEGER }: Extract<PushSource, { about: "event" }>,
  afterId: number,
): Promise<PushOrder[]> {
  const isMeant = and(
    eq(calls.eventId, id),
    inArray(calls.outcome, ["won", "lost"]),
    sql`${calls.userId} BETWEEN ${fromUserId} AND ${toUserId}`,
  );
  const players = db.select({ userId: calls.userId }).from(calls).where(isMeant);
  const wants = and(pushSubscriptions.results, inArray(pushSubscriptions.userId, players));
  const rows = await findBrowsers(db, wants, afterId);
  return rows.map((row) => ({ ...row, about: "event", id }));
}

function findBrowsers(db: Queryable, wants: SQLWrapper | undefined, afterId: number) {
  return db
    .select({ subscriptionId: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(and(wants, gt(pushSubscriptions.id, afterId)))
    .orderBy(asc(pushSubscriptions.id))
    .limit(BATCH_SIZE);
}

/** All at once: a fact names at most 1,000 notifications, and a player has at most 10 browsers. */
async function findForNotifications(db: Queryable, ids: number[]): Promise<PushOrder[]> {
  const rows = await db
    .select({ subscriptionId: pushSubscriptions.id, id: notifications.id })
    .from(notifications)
    .innerJoin(pushSubscriptions, eq(pushSubscriptions.userId, notifications.userId))
    .where(
      and(
        anyOf(notifications.id, ids),
        // Who has asked to be reminded hears of it in every browser that shows messages.
        or(
          eq(notifications.kind, "reminder"),
          and(inArray(notifications.kind, ["result", "refund", "correction"]), pushSubscriptions.results),
        ),
      ),
    );
  return rows.map((row) => ({ ...row, about: "notification" }));
}

/** Adds a job for each fact of which players may want to hear while no page is open. Rejects while Redis is away. */
export async function enqueuePushes(
  queues: Pick<Deps["queues"], "fanOutPushes">,
  facts: readonly Fact[],
): Promise<void> {
  const sources = facts.map(sourceOf).filter((source) => source !== null);
  await Promise.all(sources.map((source) => queues.fanOutPushes(source)));
}

function sourceOf(fact: Fact): PushSource | null {
  if (fact.kind === "session_changed")
    return fact.change === "start" ? { about: "session", id: fact.sessionId } : null;
  if (fact.kind === "event_settled") {
    const { eventId: id, fromUserId, toUserId } = fact;
    return { about: "event", id, fromUserId, toUserId };
  }
  return fact.kind === "notifications_created" ? { about: "notifications", ids: fact.notificationIds } : null;
}
