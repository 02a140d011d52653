import { and, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";
import { events } from "#db/schema/events.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { say } from "#src/http/contract.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { isAccessDenied } from "#src/play/access-denied.ts";
import { REMIND_UNCALLED_BEFORE_HOURS } from "./contract.ts";

const ACTION = "remind_uncalled";
const before = sql`make_interval(hours => ${REMIND_UNCALLED_BEFORE_HOURS})`;

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
type ClosingEvent = v.InferOutput<typeof closingEvent>;

/** @returns false if none is left. One that another process works on at this moment is left to it. */
async function remindOfOne(tx: Transaction): Promise<boolean> {
  const [event] = await queryRows(
    tx,
    closingEvent,
    sql`SELECT e.id, e.session_id AS "sessionId", e.round, e.title, s.slug
      FROM events e JOIN sessions s ON s.id = e.session_id
      WHERE e.state = 'open' AND s.state = 'running' AND e.closes_at > game_now() AND e.closes_at - ${before} <= game_now()
        AND e.closes_at - e.opens_at > 2 * ${before} AND ${isUnreminded(sql`e.id`)}
      ORDER BY e.closes_at LIMIT 1 FOR NO KEY UPDATE OF e SKIP LOCKED`,
  );
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
    before: {},
    after: { players: players.length },
  });
  return true;
}

const isUnreminded = (eventId: ReturnType<typeof sql>) =>
  sql`NOT EXISTS (SELECT 1 FROM audit WHERE subject_type = 'event' AND subject_id = ${eventId} AND action = ${ACTION})`;

/** The players who have joined its session and have no call on it. */
function listUncalled(tx: Transaction, { id, sessionId, round }: ClosingEvent) {
  return queryRows(
    tx,
    v.object({ userId: wholeNumber }),
    sql`SELECT r.user_id AS "userId" FROM registrations r JOIN users u ON u.id = r.user_id JOIN sessions s ON s.id = r.session_id
      WHERE r.session_id = ${sessionId} AND NOT u.robot AND u.deactivated_at IS NULL
        AND NOT ${isAccessDenied({ id: sql`s.id`, settings: sql`s.settings` }, sql`u.id`)}
        AND NOT EXISTS (SELECT 1 FROM calls c
          WHERE c.event_id = ${id} AND c.round = ${round} AND c.user_id = r.user_id AND c.state <> 'soft_destroyed')
      ORDER BY r.user_id`,
  );
}
