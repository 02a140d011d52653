import { and, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";
import { sessionStates } from "#db/lists/sessions.ts";
import { isOnBreak } from "#db/on-break.ts";
import { events } from "#db/schema/events.ts";
import { mails } from "#db/schema/mails.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { say } from "#src/http/contract.ts";
import { enqueueMail } from "#src/mail/write-mail.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { isAccessDenied } from "#src/play/access-denied.ts";
import { REMIND_BEFORE_MINUTES, REMIND_UNCALLED_BEFORE_HOURS } from "./contract.ts";

// Decision: no time is stored with a reminder. Which ones are due follows from the session as it is, so one that is moved, deleted or
// started early needs no further step, and what a process marks as sent in its transaction no other process sends.

const BATCH_SIZE = 500;

const dueRow = v.object({
  userId: wholeNumber,
  sessionId: wholeNumber,
  name: v.string(),
  slug: v.string(),
  state: v.picklist(sessionStates),
  /** To send a mail to; null for who is reached by push, or has no confirmed address. */
  email: v.nullable(v.string()),
});
type DueReminder = v.InferOutput<typeof dueRow>;

const before = sql`make_interval(mins => ${REMIND_BEFORE_MINUTES})`;

/**
 * Sends the reminders of sessions that start within 10 minutes, and of those that have just started without one. Each goes out once
 * for a start: one that went out before this start came within 10 minutes, and before it was made, was for an earlier plan.
 */
export async function sendDueReminders(
  deps: Pick<Deps, "pool" | "queues" | "log" | "notifyRelay">,
): Promise<void> {
  for (;;) {
    const { count, mailIds } = await inTransaction(deps.pool.db, async (tx) => {
      const due = await takeDue(tx);
      await writeNotifications(tx, due.map(notificationOf));
      return { count: due.length, mailIds: await writeMails(tx, due) };
    });
    if (count > 0) deps.notifyRelay();
    await Promise.all(mailIds.map((id) => enqueueMail(deps, id)));
    if (count < BATCH_SIZE) return;
  }
}

/** Marks the next due reminders as sent, and returns them. Those that another process takes at this moment are left to it. */
function takeDue(tx: Transaction): Promise<DueReminder[]> {
  // Session by session and in the order of an index: Postgres would read all reminders where a few sessions have most of them.
  return queryRows(tx, dueRow)`WITH starting AS MATERIALIZED (
      SELECT s.id, least(s.starts_at - ${before}, s.started_at) AS since FROM sessions s
      WHERE s.state = 'pending' AND s.starts_at - ${before} <= game_now() AND s.starts_at + ${before} > game_now()
        OR s.state = 'running' AND s.started_at + ${before} > game_now()
    ), due AS MATERIALIZED (
      SELECT r.id FROM starting s CROSS JOIN LATERAL (
        SELECT id FROM reminders WHERE session_id = s.id AND (sent_at IS NULL OR sent_at < s.since)
        ORDER BY user_id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED
      ) r LIMIT ${BATCH_SIZE}
    ), sent AS (
      UPDATE reminders r SET sent_at = game_now() FROM due WHERE r.id = due.id RETURNING r.user_id, r.session_id
    )
    SELECT u.id AS "userId", s.id AS "sessionId", s.name, s.slug, s.state,
      CASE WHEN u.confirmed_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM push_subscriptions p WHERE p.user_id = u.id) THEN u.email END AS email
    FROM sent JOIN sessions s ON s.id = sent.session_id JOIN users u ON u.id = sent.user_id
    WHERE u.deactivated_at IS NULL AND NOT ${isOnBreak(sql`u.id`)}
      AND NOT ${isAccessDenied({ id: sql`s.id`, settings: sql`s.settings` }, sql`u.id`)}
    ORDER BY u.id`;
}

function notificationOf({ userId, name, slug, state }: DueReminder) {
  const isLive = state === "running";
  return {
    userId,
    kind: "reminder" as const,
    title: isLive ? say`${name} is live` : say`${name} starts soon`,
    body: isLive
      ? "You asked to be reminded. It has started."
      : "You asked to be reminded. It starts in a few minutes.",
    url: `/sessions/${slug}`,
  };
}

async function writeMails(tx: Transaction, due: readonly DueReminder[]): Promise<number[]> {
  const letters = due.flatMap(({ userId, sessionId, email }) =>
    email === null ? [] : [{ kind: "session_reminder" as const, recipient: email, userId, sessionId }],
  );
  if (letters.length === 0) return [];
  const rows = await tx.insert(mails).values(letters).returning({ id: mails.id });
  return rows.map(({ id }) => id);
}

const ACTION = "remind_uncalled";
const aDay = sql`make_interval(hours => ${REMIND_UNCALLED_BEFORE_HOURS})`;

/**
 * Reminds the players of a session who have not called a question that is open for days, once, a day before it closes. What opens for a
 * shorter time than that reminds nobody. Its audit line says that it was done: an event is reminded of once, also in another round.
 */
export async function remindUncalled(deps: Pick<Deps, "pool" | "notifyRelay">): Promise<void> {
  while (await inTransaction(deps.pool.db, remindOfOne)) deps.notifyRelay();
}

const closingEvent = v.object({
  id: wholeNumber,
  sessionId: wholeNumber,
  round: wholeNumber,
  title: v.string(),
  slug: v.string(),
});
/** @returns false if none is left. One that another process works on at this moment is left to it. */
async function remindOfOne(tx: Transaction): Promise<boolean> {
  const [event] = await queryRows(tx, closingEvent)`
    SELECT e.id, e.session_id AS "sessionId", e.round, e.title, s.slug
    FROM events e JOIN sessions s ON s.id = e.session_id
    WHERE e.state = 'open' AND s.state = 'running' AND e.closes_at > game_now() AND e.closes_at - ${aDay} <= game_now()
      AND e.closes_at - e.opens_at > 2 * ${aDay} AND ${isUnreminded(sql`e.id`)}
    ORDER BY e.closes_at LIMIT 1 FOR NO KEY UPDATE OF e SKIP LOCKED`;
  if (event === undefined) return false;
  // Another process may have done it between the snapshot and the lock.
  const stillOne = and(eq(events.id, event.id), isUnreminded(sql`${events.id}`));
  if ((await tx.$count(events, stillOne)) === 0) return true;
  const players = await listUncalled(tx, event);
  await writeNotifications(
    tx,
    players.map(({ userId }) => ({
      userId,
      kind: "reminder" as const,
      title: "You have not called it yet",
      body: say`${event.title} It closes within a day.`,
      url: `/sessions/${event.slug}?question=${event.id}`,
    })),
  );
  await writeAudit(tx, {
    actor: null,
    action: ACTION,
    subject: { type: "event", id: event.id },
    sessionId: event.sessionId,
    after: { players: players.length },
  });
  return true;
}

const isUnreminded = (eventId: ReturnType<typeof sql>) =>
  sql`NOT EXISTS (SELECT 1 FROM audit WHERE subject_type = 'event' AND subject_id = ${eventId} AND action = ${ACTION})`;

/** The players who have joined its session and have no call on it. */
function listUncalled(tx: Transaction, { id, sessionId, round }: v.InferOutput<typeof closingEvent>) {
  return queryRows(tx, v.object({ userId: wholeNumber }))`
    SELECT r.user_id AS "userId" FROM registrations r JOIN users u ON u.id = r.user_id JOIN sessions s ON s.id = r.session_id
    WHERE r.session_id = ${sessionId} AND NOT u.robot AND u.deactivated_at IS NULL
      AND NOT ${isAccessDenied({ id: sql`s.id`, settings: sql`s.settings` }, sql`u.id`)}
      AND NOT EXISTS (SELECT 1 FROM calls c
        WHERE c.event_id = ${id} AND c.round = ${round} AND c.user_id = r.user_id AND c.state <> 'soft_destroyed')
    ORDER BY r.user_id`;
}
