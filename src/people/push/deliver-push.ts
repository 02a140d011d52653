import { and, eq, type SQL, sql, gt, inArray, isNull } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { listSettlements } from "#db/ledger/list-settlements.ts";
import { anyOf, queryRows } from "#db/ledger/query.ts";
import { isOnBreak } from "#db/on-break.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { notifications } from "#db/schema/notifications.ts";
import { pushMessages, pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import { type DueRows, enqueueDue, type Outcome, sendDue, sendOverdue } from "#src/base/due-rows.ts";
import type { Fact } from "#src/base/outbox/write-fact.ts";
import type { PushOrder, PushSource } from "#src/base/queues.ts";
import { formatChange, say, shorten } from "#src/http/contract.ts";
import { createHostPlaces, HostBusy } from "#src/http/outside/host-places.ts";
import { NotPublic } from "#src/http/outside/public-address.ts";
import { requestOutside, retryAfterOf } from "#src/http/outside/request-outside.ts";
import { senderOf } from "#src/mail/send-letter.ts";
import type { Env } from "#src/settings/env.ts";
import type { PushMessage } from "./contract.ts";
import { isPushEndpoint } from "./push-address.ts";

// The life of a push message: the relay adds a job for a fact; the job writes a row for each browser that shows a message about it; a job or
// the sweep sends it (src/base/due-rows.ts says when, and when again); one that is too late to be of use is dropped; and it is deleted when it
// is old. It is composed when it is sent. A second message about the same replaces the first one in the browser.

// Decision: on a break there is no push message, also none of an own result: each of them calls a player back. What open calls have won is
// paid, and is among the notifications. Who had a message coming when the break began gets none either.

/** The wait after each failed attempt; the last one is repeated. The first message in line for a push service is tried more often. */
const retrySeconds = [5, 15, 30, 60, 120] as const;
const RETRY_MAX_SECONDS = 120;
/** The delay before a browser that got too many messages gets the next one. */
const BROWSER_BUSY_SECONDS = 15;
/** The longest that a push service may ask to wait. */
const RETRY_AFTER_MAX_SECONDS = 300;
/** This many messages in a row that the push service refused for good show that the subscription is of no use. */
const FAILURES_MAX = 10;
const ERROR_LENGTH_MAX = 500;
const MINUTE_S = 60;
/** How long a message is worth showing: nobody wants to hear an hour later that a session is live. */
const LIVE_FOR_S = 10 * MINUTE_S;
/** And so long one about the player's own money. What could not be sent by then is dropped. */
export const RESULT_FOR_S = 180 * MINUTE_S;
/** Jobs that are added at once. */
const BATCH_SIZE = 200;

/** The push service says that the browser has given the subscription up. */
const goneStatuses = [404, 410];

/** How push messages wait: those for each push service. */
export const pushRows: DueRows = {
  table: pushMessages,
  sentAt: "sent_at",
  receiver: "service",
  awaySince: sql`created_at`,
  now: sql`game_now()`,
  queue: "pushes",
  addJob: (queues, pushId, dueMs) => queues.sendPush({ pushId }, dueMs),
  // Longer than a request may take.
  claimSeconds: 30,
  waitSeconds: (attempts, ageSeconds) =>
    ageSeconds > RESULT_FOR_S ? null : (retrySeconds[attempts - 1] ?? RETRY_MAX_SECONDS),
  triedForSeconds: RESULT_FOR_S,
  eachAfterMs: 10,
  overdueSeconds: 10,
  batchSize: 100,
  // As many as the queue sends.
  atOnce: 20,
  // A large show has tens of thousands at once.
  unsentSeconds: 300,
  slow: { afterSeconds: 2, server: "the push service" },
};

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

/** Writes a message for each browser that shows one about this, and adds the jobs that send them. Running it again writes none twice. */
export async function writePushes(
  deps: Pick<Deps, "pool" | "queues" | "log">,
  source: PushSource,
): Promise<void> {
  const { db } = deps.pool;
  // A correction comes with a notification of its own.
  if (source.about === "event" && (await listSettlements(db, source.id)).length > 1) return;
  const written = await insertPushes(db, meantBy(source));
  for (let from = 0; from < written.length; from += BATCH_SIZE)
    await enqueueDue(deps, pushRows, written.slice(from, from + BATCH_SIZE));
}

const writtenRow = v.object({ id: v.pipe(v.string(), v.toNumber()) });

/** @param meant rows of a subscription's id, what the message is about and its id. */
function insertPushes(db: Queryable, meant: SQL): Promise<{ id: number }[]> {
  return queryRows(db, writtenRow)`
    INSERT INTO ${pushMessages} (subscription_id, about, about_id, service)
    SELECT id, about, about_id, coalesce(substring(endpoint FROM '^\\w+://[^/?#]+'), '')
    FROM (${meant}) AS meant (id, about, about_id) JOIN ${pushSubscriptions} USING (id)
    WHERE NOT ${isOnBreak(pushSubscriptions.userId)} ORDER BY id
    ON CONFLICT DO NOTHING RETURNING id`;
}

function meantBy(source: PushSource): SQL {
  switch (source.about) {
    case "session":
      // All who asked to hear of sessions, registered or not. Who is deactivated has no browser any more.
      return sql`SELECT id, 'session', ${source.id}::bigint FROM ${pushSubscriptions}
        WHERE session_live`;
    case "event": {
      // The players who won or lost. A refund comes with a notification of its own.
      const { id, fromUserId = 0, toUserId = Number.MAX_SAFE_INTEGER } = source;
      return sql`SELECT id, 'event', ${id}::bigint FROM ${pushSubscriptions} WHERE results AND user_id IN (
        SELECT user_id FROM ${calls} WHERE event_id = ${id} AND outcome IN ('won', 'lost')
          AND user_id BETWEEN ${fromUserId} AND ${toUserId})`;
    }
    case "notifications":
      // Who has asked to be reminded hears of it in every browser that shows messages.
      return sql`SELECT s.id, 'notification', ${notifications.id} FROM ${notifications}
        JOIN ${pushSubscriptions} s ON s.user_id = ${notifications.userId}
        WHERE ${anyOf(notifications.id, source.ids)} AND (${notifications.kind} = 'reminder'
          OR (${notifications.kind} IN ('result', 'refund', 'correction') AND s.results))`;
  }
}

type PushDeps = Pick<Deps, "env" | "pool" | "log" | "queues">;

/** Sends a message to one browser, if it is due. @returns as sendDue. */
export function deliverPush(deps: PushDeps, id: number): Promise<number | null> {
  return sendDue(deps, pushRows, id, () => attemptPush(deps, id));
}

/** The same for a job that the release before has added, which has no row. */
export async function deliverOrder(
  deps: PushDeps,
  { subscriptionId, about, id }: PushOrder,
): Promise<number | null> {
  const meant = sql`SELECT ${subscriptionId}::bigint, ${about}, ${id}::bigint`;
  const [row] = await insertPushes(deps.pool.db, meant);
  return row === undefined ? null : deliverPush(deps, row.id);
}

export function deliverDuePushes(deps: PushDeps): Promise<void> {
  return sendOverdue(deps, pushRows, (id) => deliverPush(deps, id));
}

type PushRow = typeof pushMessages.$inferSelect;

async function attemptPush(deps: PushDeps, id: number): Promise<Outcome> {
  const { db } = deps.pool;
  const [found] = await db
    .select({
      push: pushMessages,
      subscription: pushSubscriptions,
      onBreak: isOnBreak(pushSubscriptions.userId),
    })
    .from(pushMessages)
    .innerJoin(pushSubscriptions, eq(pushSubscriptions.id, pushMessages.subscriptionId))
    .where(eq(pushMessages.id, id));
  const dropped = { dropped: "It is too late, was read, or is not wanted any more." };
  if (found === undefined || found.onBreak) return dropped;
  const { push, subscription } = found;
  const message = await composePush(db, push, subscription);
  if (message === null) return dropped;
  try {
    return await judgeAnswer(deps, push, await postMessage(deps.env, subscription, message));
  } catch (error) {
    if (error instanceof HostBusy) return { postponedMs: error.waitMs };
    deps.log.warn({ err: error, subscriptionId: subscription.id }, "a push service could not be reached");
    if (error instanceof NotPublic) return remove(deps, subscription.id);
    return away(push, explainError(error));
  }
}

/** @param afterSeconds when the push service wants to be asked again; null: it does not say. */
const away = ({ service }: PushRow, reason: string, afterSeconds: number | null = null): Outcome => ({
  failure: {
    error: `${service}: ${reason}`.slice(0, ERROR_LENGTH_MAX),
    retry: afterSeconds === null ? "as planned" : { afterSeconds },
  },
});

type Answer = { status: number; retryAfterSeconds: number | null };

function judgeAnswer(
  deps: PushDeps,
  push: PushRow,
  { status, retryAfterSeconds }: Answer,
): Outcome | Promise<Outcome> {
  const { subscriptionId: id } = push;
  if (status >= 200 && status < 300) return { failure: null, note: (tx) => noteSuccess(tx, push) };
  if (goneStatuses.includes(status)) return remove(deps, id);
  deps.log.warn({ subscriptionId: id, status }, "a push service did not accept a message");
  const asked = retryAfterSeconds === null ? null : Math.min(retryAfterSeconds, RETRY_AFTER_MAX_SECONDS);
  // Of one browser: it gets too many. The others of its service are sent.
  if (status === 429) return { postponedMs: (asked ?? BROWSER_BUSY_SECONDS) * 1_000 };
  const reason = `it answers ${status}`;
  if (status >= 500) return away(push, reason, asked);
  return { failure: { error: reason, retry: "never" }, note: (tx) => noteRefusal(tx, id) };
}

/** @returns whether other messages wait for the push service. */
async function noteSuccess(tx: Queryable, { subscriptionId, service }: PushRow): Promise<boolean> {
  const [noted] = await tx
    .update(pushSubscriptions)
    .set({ failures: 0, lastSuccessAt: sql`clock_timestamp()` })
    .where(eq(pushSubscriptions.id, subscriptionId))
    .returning({
      isAwaited: sql<boolean>`EXISTS (SELECT FROM push_messages WHERE sent_at IS NULL AND failed_at IS NULL AND error IS NOT NULL
        AND due_at > game_now() AND service = ${service})`,
    });
  return noted?.isAwaited === true;
}

async function noteRefusal(tx: Queryable, id: number): Promise<false> {
  const isOver = and(eq(pushSubscriptions.id, id), sql`${pushSubscriptions.failures} >= ${FAILURES_MAX}`);
  await tx
    .update(pushSubscriptions)
    .set({ failures: sql`${pushSubscriptions.failures} + 1` })
    .where(eq(pushSubscriptions.id, id));
  await tx.delete(pushSubscriptions).where(isOver);
  return false;
}

/** Removes a subscription that is of no use, and with it what waits for it. */
async function remove({ pool }: PushDeps, id: number): Promise<Outcome> {
  await pool.db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id));
  return { dropped: "Its subscription is of no use any more." };
}

/** A player chooses the address, so one host must not take the places of all others. */
const places = createHostPlaces();

/** Encrypts a message (RFC 8291), signs the request (RFC 8292) and sends it. @throws NotPublic, HostBusy, or there is no answer. */
async function postMessage(
  env: Pick<Env, "push" | "mailFrom" | "publicUrl">,
  { endpoint, p256dh, auth }: Pick<typeof pushSubscriptions.$inferSelect, "endpoint" | "p256dh" | "auth">,
  { ttlSeconds, urgency, ...message }: OutgoingPush,
): Promise<Answer> {
  const { push } = env;
  // 14 MB, which only a worker needs.
  const { generateRequestDetails } = await import("web-push");
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

const BODY_LENGTH_MAX = 300;

const SESSIONS_PATH = "/sessions";

/** The same clock that wrote the row's time. */
const freshFor = (seconds: number) => sql`game_now() - make_interval(secs => ${seconds})`;

/** Whose browser it is, and what the player wants there. */
type Reader = Pick<typeof pushSubscriptions.$inferSelect, "userId" | "sessionLive" | "results">;

/** Writes the message to a browser from what the rows say now; null if it is too late, was read, or is not wanted any more. Every browser shows reminders. */
async function composePush(
  db: Queryable,
  { about, aboutId }: Pick<typeof pushMessages.$inferSelect, "about" | "aboutId">,
  reader: Reader,
): Promise<OutgoingPush | null> {
  switch (about) {
    case "session":
      return reader.sessionLive ? composeLive(db, aboutId) : null;
    case "event":
      return reader.results ? composeResult(db, aboutId, reader.userId) : null;
    case "notification":
      return composeNotification(db, aboutId, reader);
    default:
      // Of a newer release.
      return null;
  }
}

async function composeLive(db: Queryable, sessionId: number): Promise<OutgoingPush | null> {
  const { id, name, slug, state, startedAt } = sessions;
  const hasBegun = and(eq(state, "running"), gt(startedAt, freshFor(LIVE_FOR_S)));
  const rows = db.select({ name, slug }).from(sessions);
  const [session] = await rows.where(and(eq(id, sessionId), hasBegun));
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
async function composeResult(db: Queryable, eventId: number, userId: number): Promise<OutgoingPush | null> {
  const hasResult = and(inArray(calls.outcome, ["won", "lost"]), gt(calls.endedAt, freshFor(RESULT_FOR_S)));
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
    .where(and(eq(calls.eventId, eventId), eq(calls.userId, userId), hasResult))
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
): Promise<OutgoingPush | null> {
  const isReminder = eq(notifications.kind, "reminder");
  const forSeconds = sql`CASE WHEN ${isReminder} THEN ${LIVE_FOR_S}::int ELSE ${RESULT_FOR_S}::int END`;
  const since = sql`clock_timestamp() - make_interval(secs => ${forSeconds})`;
  const isTheirs = and(eq(notifications.id, id), eq(notifications.userId, userId));
  const isNew = and(isNull(notifications.readAt), gt(notifications.createdAt, since));
  const isWanted = results ? undefined : isReminder;
  const [row] = await db
    .select()
    .from(notifications)
    .where(and(isTheirs, isNew, isWanted));
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

/** A message. Of those with one tag, which has at most 32 letters, the push service keeps the newest for the browser. */
type OutgoingPush = PushMessage & {
  /** The push service drops the message after this time if the browser has not been there. */
  ttlSeconds: number;
  urgency: "normal" | "high";
};
