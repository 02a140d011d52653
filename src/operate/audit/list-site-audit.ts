import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryColumn } from "#db/ledger/query.ts";
import { onlyDigits } from "#db/lists/session-address.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { audit, auditPersonal } from "#db/schema/audit.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { csvHeader, csvLine } from "#src/base/csv.ts";
import { idIn } from "#src/http/check-input.ts";
import { download } from "#src/http/download.ts";
import { isNamed } from "#src/people/users/judge-username.ts";
import { findSessionId } from "#src/play/find-session-id.ts";
import { site } from "#src/settings/contract.ts";
import { isItsEvent, lineColumns, presentLine } from "#src/show/sessions/list-audit.ts";
import { AUDIT_SHOWN } from "./contract.ts";
import type { AuditFilter, SiteAuditAnswer, SiteAuditLine, SiteAuditQuery } from "./schemas.ts";

// Decision: entries are ordered by their time, and by id within one. So each filter has an index in that order (db/schema/audit.ts), and a
// page of a million entries reads a page of it, in any time.

/** Lines of a batch of the file. */
const BATCH_SIZE = 500;

/** A page of what was done on the whole site, newest first. For admins. */
export async function listSiteAudit(
  db: Queryable,
  { before, ...filter }: SiteAuditQuery,
  now: Date,
): Promise<SiteAuditAnswer> {
  const [where, actions] = await Promise.all([conditionOf(db, filter), listActions(db)]);
  const lines = await findLines(db, { where, before, limit: AUDIT_SHOWN + 1 });
  const shown = lines.slice(0, AUDIT_SHOWN);
  const last = lines.length > AUDIT_SHOWN ? shown.at(-1) : undefined;
  return { audit: shown, actions, meta: { before: last?.id ?? null, serverTime: now.toISOString() } };
}

const columns = [
  ...([
    "at",
    "id",
    "actor_id",
    "actor",
    "access_token",
    "action",
    "subject",
    "subject_id",
    "subject_title",
  ] as const),
  ...(["session_id", "session", "reason", "before", "after"] as const),
];

/** Streams all that a filter finds as a CSV file, newest first. Batches are read by key, as those of transactions are. */
export async function exportSiteAudit(db: Queryable, filter: AuditFilter): Promise<Response> {
  return download(writeLines(db, await conditionOf(db, filter)), `${site().slug}-audit.csv`);
}

async function* writeLines(db: Queryable, where: SQL | undefined): AsyncGenerator<string> {
  yield csvHeader(columns);
  let before: number | undefined;
  do {
    const batch: SiteAuditLine[] = await findLines(db, { where, before, limit: BATCH_SIZE });
    yield batch.map((line) => csvLine(cellsOf(line))).join("");
    before = batch.length < BATCH_SIZE ? undefined : batch.at(-1)?.id;
  } while (before !== undefined);
}

function cellsOf({ actor, subject, session, ...line }: SiteAuditLine): (string | number | null)[] {
  return [
    line.at,
    line.id,
    actor?.id ?? null,
    actor?.username ?? null,
    actor?.token ?? null,
    line.action,
    subject.type,
    subject.id,
    subject.title,
    session?.id ?? null,
    session?.name ?? null,
    line.reason,
    JSON.stringify(line.before),
    JSON.stringify(line.after),
  ];
}

/** The entries that a filter finds. Who or what is not known has none. */
async function conditionOf(db: Queryable, filter: AuditFilter): Promise<SQL | undefined> {
  const { action = "", subject, actor = "", session = "", from, to } = filter;
  const [actorId, sessionId] = await Promise.all([findActorId(db, actor), findSession(db, session)]);
  if (actorId === null || sessionId === null) return sql`false`;
  return and(
    action === "" ? undefined : eq(audit.action, action),
    subject && eq(audit.subjectType, subject),
    actorId === undefined ? undefined : eq(audit.actorId, actorId),
    sessionId === undefined ? undefined : eq(audit.sessionId, sessionId),
    from && gte(audit.createdAt, from),
    to && lt(audit.createdAt, to),
  );
}

/** Undefined: nobody is asked for; null: nobody is called so. A username can be a number, so it is looked for first. */
async function findActorId(db: Queryable, actor: string): Promise<number | null | undefined> {
  if (actor === "") return undefined;
  const [named] = await db.select({ id: users.id }).from(users).where(isNamed(actor));
  return named?.id ?? (onlyDigits.test(actor) ? idIn(actor) : null);
}

/** A deleted session is found by its id alone. */
async function findSession(db: Queryable, session: string): Promise<number | null | undefined> {
  if (session === "") return undefined;
  return onlyDigits.test(session) ? idIn(session) : findSessionId(db, session, "host");
}

type Wanted = { where: SQL | undefined; before: number | undefined; limit: number };

const subjectUsers = alias(users, "subject_users");

async function findLines(db: Queryable, { where, before, limit }: Wanted): Promise<SiteAuditLine[]> {
  const behind = sql`(${audit.createdAt}, ${audit.id}) < ((SELECT created_at FROM audit WHERE id = ${before}), ${before})`;
  const rows = await db
    .select({
      ...lineColumns,
      name: subjectUsers.username,
      session: { id: sessions.id, slug: sessions.slug, name: sessions.name },
    })
    .from(audit)
    .leftJoin(auditPersonal, eq(auditPersonal.auditId, audit.id))
    .leftJoin(users, eq(users.id, audit.actorId))
    .leftJoin(accessTokens, eq(accessTokens.id, audit.accessTokenId))
    .leftJoin(events, isItsEvent)
    .leftJoin(subjectUsers, and(eq(subjectUsers.id, audit.subjectId), eq(audit.subjectType, "user")))
    .leftJoin(sessions, eq(sessions.id, audit.sessionId))
    .where(and(where, before === undefined ? undefined : behind))
    .orderBy(desc(audit.createdAt), desc(audit.id))
    .limit(limit);
  return rows.map(({ title, name, session, ...row }) => ({
    ...presentLine(row),
    subject: { type: row.line.subjectType, id: row.line.subjectId, title: title ?? name },
    session,
  }));
}

/** The names of all actions, each found by one look into an index. */
function listActions(db: Queryable): Promise<string[]> {
  return queryColumn(db, v.string())`WITH RECURSIVE found AS (
      (SELECT action FROM audit ORDER BY action LIMIT 1)
      UNION ALL
      SELECT (SELECT a.action FROM audit a WHERE a.action > f.action ORDER BY a.action LIMIT 1)
      FROM found f WHERE f.action IS NOT NULL)
    SELECT action FROM found WHERE action IS NOT NULL`;
}
