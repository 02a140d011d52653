import { eq, sql } from "drizzle-orm";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import type { PushOrder } from "#jobs/queues.ts";
import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import { HostBusy } from "#src/http/outside/host-places.ts";
import { NotPublic } from "#src/http/outside/public-address.ts";
import { composeMessage } from "./compose-message.ts";
import { type OutgoingMessage, postMessage } from "./post-message.ts";
import { pushServices } from "./push-services.ts";

/** The delay before a browser that got too many messages gets the next one. */
const RETRY_AFTER_MS = 15_000;
/** The longest that a push service may ask to wait. */
const RETRY_AFTER_MAX_S = 300;
/** This many messages in a row that the push service refused for good show that the subscription is of no use. */
const FAILURES_MAX = 10;

/** The push service says that the browser has given the subscription up. */
const goneStatuses = [404, 410];
const TOO_MANY = 429;
const SERVER_ERROR = 500;

type PushDeps = Pick<Deps, "env" | "pool" | "log" | "queues">;
type Subscription = typeof pushSubscriptions.$inferSelect;

/**
 * Sends a message to one browser. A push service that is away or overloaded is asked again until the message is too old.
 * @returns null if nothing is left to do, else the milliseconds until the next attempt.
 */
export async function sendPush(deps: PushDeps, order: PushOrder): Promise<number | null> {
  const { db } = deps.pool;
  const [subscription] = await db
    .select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.id, order.subscriptionId));
  if (subscription === undefined || !wants(subscription, order)) return null;
  const message = await composeMessage(db, order, subscription);
  return message === null ? null : deliver(deps, subscription, message);
}

/** The player may have switched it off since the job was added. A notification may be a reminder, which every browser shows. */
function wants({ sessionLive, results }: Subscription, { about }: PushOrder): boolean {
  if (about === "notification") return true;
  return about === "session" ? sessionLive : results;
}

async function deliver(
  deps: PushDeps,
  subscription: Subscription,
  message: OutgoingMessage,
): Promise<number | null> {
  const { id, endpoint } = subscription;
  const service = URL.parse(endpoint)?.origin ?? endpoint;
  const waitMs = pushServices.waitMs(service);
  if (waitMs > 0) return waitMs;
  try {
    const answer = await postMessage(deps.env, subscription, message);
    return await judgeAnswer(deps, { id, service }, answer);
  } catch (error) {
    if (error instanceof HostBusy) return error.waitMs;
    deps.log.warn({ err: error, subscriptionId: id }, "a push service could not be reached");
    if (error instanceof NotPublic) return remove(deps, id);
    return pushServices.refused(service, explainError(error));
  }
}

async function judgeAnswer(
  deps: PushDeps,
  { id, service }: { id: number; service: string },
  { status, retryAfterSeconds }: Awaited<ReturnType<typeof postMessage>>,
): Promise<number | null> {
  if (status < SERVER_ERROR && pushServices.took(service)) await sendWaitingPushes(deps);
  if (status >= 200 && status < 300) return recordSuccess(deps, id);
  if (goneStatuses.includes(status)) return remove(deps, id);
  deps.log.warn({ subscriptionId: id, status }, "a push service did not accept a message");
  const askedMs = retryAfterSeconds === null ? null : Math.min(retryAfterSeconds, RETRY_AFTER_MAX_S) * 1_000;
  // Of one browser: it gets too many. The others of its service are sent.
  if (status === TOO_MANY) return askedMs ?? RETRY_AFTER_MS;
  if (status < SERVER_ERROR) return recordFailure(deps, id);
  return pushServices.refused(service, `it answers ${status}`, askedMs);
}

/** A push service is back: what waits goes on, in its order, as fast as the service answers (http/outside/host-places.ts). */
async function sendWaitingPushes({ queues, log }: PushDeps): Promise<void> {
  try {
    await queues.byName.pushes.promoteJobs();
  } catch (error) {
    log.debug({ err: error }, "Redis is away; the messages wait for their own times");
  }
}

async function recordSuccess({ pool }: PushDeps, id: number): Promise<null> {
  await pool.db
    .update(pushSubscriptions)
    .set({ failures: 0, lastSuccessAt: sql`clock_timestamp()` })
    .where(eq(pushSubscriptions.id, id));
  return null;
}

async function recordFailure({ pool }: PushDeps, id: number): Promise<null> {
  const [row] = await pool.db
    .update(pushSubscriptions)
    .set({ failures: sql`${pushSubscriptions.failures} + 1` })
    .where(eq(pushSubscriptions.id, id))
    .returning({ failures: pushSubscriptions.failures });
  if (row !== undefined && row.failures >= FAILURES_MAX) {
    await pool.db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id));
  }
  return null;
}

async function remove({ pool }: PushDeps, id: number): Promise<null> {
  await pool.db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id));
  return null;
}
