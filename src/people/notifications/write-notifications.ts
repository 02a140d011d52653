import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { anyOf } from "#db/ledger/query.ts";
import type { NotificationKind } from "#db/lists/notifications.ts";
import type { Role } from "#db/lists/users.ts";
import { isOnBreak } from "#db/on-break.ts";
import { notifications } from "#db/schema/notifications.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";

const BATCH_SIZE = 1_000;

/** A notification to write: what the user reads, and the page it opens. */
type NewNotification = {
  userId: number;
  kind: NotificationKind;
  title: string;
  body: string;
  /** A path in this app; null for none. */
  url: string | null;
};

// Decision: who is on a break gets no notification that invites to play: that a session is live, reminders, and announcements (announce.ts).
// What is theirs stays: results, refunds, corrections and payments of open calls and deposits, what was done to their account, and how long
// a visit lasts. It waits where notifications are read, and is pushed to no browser (deliver-push.ts).

const inviting: readonly NotificationKind[] = ["session_live", "reminder"];

/**
 * Writes any number of notifications in the transaction of the change that they report, in batches. Invitations to players on a break
 * are left out. After the commit call
 * `deps.notifyRelay()` to broadcast them at once.
 */
export async function writeNotifications(tx: Queryable, rows: readonly NewNotification[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const batch = await withoutInvited(tx, rows.slice(start, start + BATCH_SIZE));
    if (batch.length === 0) continue;
    const written = await tx.insert(notifications).values(batch).returning({ id: notifications.id });
    await writeFact(tx, { kind: "notifications_created", notificationIds: written.map(({ id }) => id) });
  }
}

async function withoutInvited(tx: Queryable, rows: NewNotification[]): Promise<NewNotification[]> {
  const invited = rows.filter(({ kind }) => inviting.includes(kind)).map(({ userId }) => userId);
  if (invited.length === 0) return rows;
  const away = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(anyOf(users.id, invited), isOnBreak(users.id)));
  const awayIds = new Set(away.map(({ id }) => id));
  return rows.filter(({ userId, kind }) => !(inviting.includes(kind) && awayIds.has(userId)));
}

/** Notifies all active admins and operators of something that needs their attention. @param roles who of them. */
export async function notifyStaff(
  tx: Queryable,
  notification: Pick<NewNotification, "title" | "body" | "url">,
  roles: readonly Role[] = ["admin", "operator"],
): Promise<void> {
  const staff = await tx
    .selectDistinct({ id: users.id })
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .where(and(inArray(userRoles.role, [...roles]), isNull(users.deactivatedAt)))
    .orderBy(asc(users.id));
  await writeNotifications(
    tx,
    staff.map(({ id }) => ({ userId: id, kind: "announcement", ...notification })),
  );
}
