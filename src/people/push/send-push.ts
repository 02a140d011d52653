import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { generateRequestDetails } from "web-push";
import type { Queryable } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { notifications } from "#db/schema/notifications.ts";
import { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { PushOrder } from "#jobs/queues.ts";
import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import { formatChange, say, shorten } from "#src/http/contract.ts";
import { createHostPlaces, HostBusy } from "#src/http/outside/host-places.ts";
import { NotPublic } from "#src/http/outside/public-address.ts";
import { requestOutside, retryAfterOf } from "#src/http/outside/request-outside.ts";
import { senderOf } from "#src/mail/send-letter.ts";
import type { Env } from "#src/settings/env.ts";
import type { PushMessage } from "./contract.ts";
import { isPushEndpoint } from "./push-address.ts";
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
type SubscriptionRow = typeof pushSubscriptions.$inferSelect;

const MINUTE_S = 60;
/** How long a message is worth showing: nobody wants to hear an hour later that a session is live. */
const LIVE_FOR_S = 10 * MINUTE_S;
const RESULT_FOR_S = 60 * MINUTE_S;
const BODY_LENGTH_MAX = 300;

const SESSIONS_PATH = "/sessions";

/** The same clock that wrote the row's time. */
const freshFor = (seconds: number) => sql`game_now() - make_interval(secs => ${seconds})`;

/** A player chooses the address, so one host must not take the places of all others. */
const places = createHostPlaces();

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
function wants({ sessionLive, results }: SubscriptionRow, { about }: PushOrder): boolean {
  if (about === "notification") return true;
  return about === "session" ? sessionLive : results;
}

async function deliver(
  deps: PushDeps,
  subscription: SubscriptionRow,
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

/** Whose browser it is, and whether results are wanted there. */
type Reader = Pick<typeof pushSubscriptions.$inferSelect, "userId" | "results">;

/**
 * Writes the message to a browser from what the rows say now.
 * @returns null if there is nothing to say any more: it is too late, the session is not running, or the player has read it.
 */
function composeMessage(
  db: Queryable,
  { about, id }: Pick<PushOrder, "about" | "id">,
  { userId, results }: Reader,
): Promise<OutgoingMessage | null> {
  switch (about) {
    case "session":
      return composeLive(db, id);
    case "event":
      return composeResult(db, id, userId);
    case "notification":
      return composeNotification(db, id, { userId, results });
  }
}

async function composeLive(db: Queryable, sessionId: number): Promise<OutgoingMessage | null> {
  const [session] = await db
    .select({ name: sessions.name, slug: sessions.slug })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, sessionId),
        eq(sessions.state, "running"),
        gt(sessions.startedAt, freshFor(LIVE_FOR_S)),
      ),
    );
  if (session === undefined) return null;
  return {
    title: say`${session.name} is live`,
    body: "The first question opens in a moment.",
    url: `${SESSIONS_PATH}/${session.slug}`,
    tag: `live-${sessionId}`,
    ttlSeconds: LIVE_FOR_S,
    urgency: "high",
  };
}

/** The player's result of an event, of all calls on it together. */
async function composeResult(
  db: Queryable,
  eventId: number,
  userId: number,
): Promise<OutgoingMessage | null> {
  const [result] = await db
    .select({
      title: events.title,
      sessionId: events.sessionId,
      slug: sessions.slug,
      netCents: sql`sum(${calls.payoutCents} - ${calls.wagerCents})`.mapWith(Number),
    })
    .from(calls)
    .innerJoin(events, and(eq(events.id, calls.eventId), eq(events.round, calls.round)))
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(
      and(
        eq(calls.eventId, eventId),
        eq(calls.userId, userId),
        inArray(calls.outcome, ["won", "lost"]),
        gt(calls.endedAt, freshFor(RESULT_FOR_S)),
      ),
    )
    .groupBy(events.id, sessions.id);
  if (result === undefined) return null;
  const { title, sessionId, slug, netCents } = result;
  // The results of a session replace each other: one who was away sees the newest, not twelve.
  const tag = sessionId === null ? `event-${eventId}` : `results-${sessionId}`;
  return {
    title: `${netCents < 0 ? "It went the other way" : "You called it"}: ${formatChange(netCents)}`,
    body: title,
    url: slug === null ? SESSIONS_PATH : `${SESSIONS_PATH}/${slug}`,
    tag,
    ttlSeconds: RESULT_FOR_S,
    urgency: "normal",
  };
}

async function composeNotification(
  db: Queryable,
  id: number,
  { userId, results }: Reader,
): Promise<OutgoingMessage | null> {
  const isReminder = eq(notifications.kind, "reminder");
  const forSeconds = sql`CASE WHEN ${isReminder} THEN ${LIVE_FOR_S}::int ELSE ${RESULT_FOR_S}::int END`;
  const since = sql`clock_timestamp() - make_interval(secs => ${forSeconds})`;
  const [row] = await db
    .select({
      kind: notifications.kind,
      title: notifications.title,
      body: notifications.body,
      url: notifications.url,
    })
    .from(notifications)
    .where(
      and(
        eq(notifications.id, id),
        eq(notifications.userId, userId),
        isNull(notifications.readAt),
        results ? undefined : isReminder,
        gt(notifications.createdAt, since),
      ),
    );
  if (row === undefined) return null;
  return {
    title: row.title,
    body: shorten(row.body, BODY_LENGTH_MAX),
    url: row.url ?? SESSIONS_PATH,
    tag: `notification-${id}`,
    ...(row.kind === "reminder"
      ? { ttlSeconds: LIVE_FOR_S, urgency: "high" as const }
      : { ttlSeconds: RESULT_FOR_S, urgency: "normal" as const }),
  };
}

/**
 * A message, and how the push service treats it: of those with one tag that wait for the browser it keeps the newest. A tag has at most
 * 32 letters.
 */
type OutgoingMessage = PushMessage & {
  /** The push service drops the message after this time if the browser has not been there. */
  ttlSeconds: number;
  urgency: "normal" | "high";
};

type Subscription = Pick<typeof pushSubscriptions.$inferSelect, "endpoint" | "p256dh" | "auth">;
type PostEnv = Pick<Env, "push" | "mailFrom" | "publicUrl">;

/**
 * Encrypts a message for a browser (RFC 8291), signs the request (RFC 8292) and sends it to the browser's push service. No
 * redirection is followed.
 * @returns the push service's status, and the seconds after which it may be asked again, if it says so.
 * @throws NotPublic if the address is not one that messages may be sent to; HostBusy if too many requests to its host are under way;
 *   other errors if there is no answer.
 */
async function postMessage(
  env: PostEnv,
  { endpoint, p256dh, auth }: Subscription,
  { ttlSeconds, urgency, ...message }: OutgoingMessage,
): Promise<{ status: number; retryAfterSeconds: number | null }> {
  const { push } = env;
  if (!isPushEndpoint(endpoint, push)) throw new NotPublic("The address is not that of a push service.");
  const { headers, body } = generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message satisfies PushMessage),
    {
      vapidDetails: { subject: `mailto:${senderOf(env)}`, ...push },
      TTL: ttlSeconds,
      urgency,
      topic: message.tag,
      contentEncoding: "aes128gcm",
    },
  );
  const isAllowed = new URL(endpoint).origin === push.serviceOrigin;
  const request = { url: endpoint, method: "POST", headers, body };
  const answer = await requestOutside(request, { publicOnly: !isAllowed, places });
  return { status: answer.status, retryAfterSeconds: retryAfterOf(answer, Date.now()) };
}
