import { and, asc, eq, type SQL } from "drizzle-orm";
import type { PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";
import { events } from "#db/schema/events.ts";
import { notifications } from "#db/schema/notifications.ts";

/** Sets columns of the rows for which a condition holds, as the owner of the tables and by no verb. */
export async function setRows<Table extends PgTable>(
  db: Queryable,
  table: Table,
  where: SQL | undefined,
  values: PgUpdateSetSource<Table>,
): Promise<void> {
  await db.update(table).set(values).where(where);
}

/** Lines of the audit log with these values, the oldest first. */
export function auditLines(
  db: Queryable,
  wanted: Partial<Pick<typeof audit.$inferSelect, "action" | "subjectType" | "subjectId" | "sessionId">>,
) {
  const { action, subjectType, subjectId, sessionId } = wanted;
  const isWanted = and(
    action === undefined ? undefined : eq(audit.action, action),
    subjectType === undefined ? undefined : eq(audit.subjectType, subjectType),
    subjectId === undefined ? undefined : eq(audit.subjectId, subjectId),
    sessionId === undefined ? undefined : eq(audit.sessionId, sessionId ?? 0),
  );
  return db.select().from(audit).where(isWanted).orderBy(asc(audit.id));
}

/** The newest line of the audit log. */
export async function lastAuditLine(db: Queryable) {
  return (await auditLines(db, {})).at(-1);
}

/** The events of a session in their order. */
export const eventsOf = (db: Queryable, sessionId: number) =>
  db
    .select()
    .from(events)
    .where(eq(events.sessionId, sessionId))
    .orderBy(asc(events.position), asc(events.id));

/** What a user was told, the oldest first. */
export function toldTo(db: Queryable, userId: number) {
  return db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(asc(notifications.id));
}
