import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { notifications } from "#db/schema/notifications.ts";
import type { pushMessages, pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { sessions } from "#db/schema/sessions.ts";
import { formatChange, say, shorten } from "#src/http/contract.ts";
import type { PushMessage } from "./contract.ts";

const MINUTE_S = 60;
/** How long a message is worth showing: nobody wants to hear an hour later that a session is live. */
const LIVE_FOR_S = 10 * MINUTE_S;
/** And so long one about the player's own money. What could not be sent by then is dropped. */
export const RESULT_FOR_S = 180 * MINUTE_S;
const BODY_LENGTH_MAX = 300;

const SESSIONS_PATH = "/sessions";

/** The same clock that wrote the row's time. */
const freshFor = (seconds: number) => sql`game_now() - make_interval(secs => ${seconds})`;

/** Whose browser it is, and what the player wants there. */
type Reader = Pick<typeof pushSubscriptions.$inferSelect, "userId" | "sessionLive" | "results">;

/** Writes the message to a browser from what the rows say now; null if it is too late, was read, or is not wanted any more. Every browser shows reminders. */
export async function composePush(
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
export type OutgoingPush = PushMessage & {
  /** The push service drops the message after this time if the browser has not been there. */
  ttlSeconds: number;
  urgency: "normal" | "high";
};
