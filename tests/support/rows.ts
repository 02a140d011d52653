import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";
import { events } from "#db/schema/events.ts";
import { notifications } from "#db/schema/notifications.ts";
import { only } from "./build.ts";

/** Which rows are meant: a condition, or the id of one. */
export type Which = SQL | undefined | number | string;

const conditionOf = (which: Which) =>
  typeof which === "number" || typeof which === "string" ? sql`id = ${which}` : which;

/** Sets columns of rows, as the owner of the tables and by no verb. */
export async function setRows<Table extends PgTable>(
  db: Queryable,
  table: Table,
  which: Which,
  values: PgUpdateSetSource<Table>,
): Promise<void> {
  await db.update(table).set(values).where(conditionOf(which));
}

/** The only row of a table that is meant, or the only one that it has. */
export async function readRow<Table extends PgTable>(
  db: Queryable,
  table: Table,
  which?: Which,
): Promise<Table["$inferSelect"]> {
  // With a table that is only known here as some table, drizzle loses what its rows are.
  const rows: Table["$inferSelect"][] = await db
    .select(getTableColumns(table))
    .from<PgTable>(table)
    .where(conditionOf(which));
  return only(rows);
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
