import { and, count, desc, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { audit, auditPersonal } from "#db/schema/audit.ts";
import { events } from "#db/schema/events.ts";
import { users } from "#db/schema/users.ts";
import { batchReads } from "#src/base/batcher.ts";
import { listMeta, type Page, totalOf } from "#src/http/list-meta.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { sessionAuditSubjects } from "./contract.ts";
import type { AuditAnswer, AuditLineView } from "./schemas.ts";

/** A page of a session's audit log, newest first. Only for admins: it contains drafts and reasons. */
export async function listAudit(
  db: Queryable,
  { slugOrId, page }: { slugOrId: string; page: Page },
  now: Date,
): Promise<AuditAnswer> {
  const sessionId = await requireSessionId(db, slugOrId, "host");
  const { lines, total } = await readPage(db, { sessionId, page });
  return { audit: lines, meta: listMeta(page, total, now) };
}

type Asked = { sessionId: number; page: Page };

/** All who ask for the same page at the same moment share one read. */
const readPage = batchReads(
  ({ sessionId, page: { perPage, offset } }: Asked) => [sessionId, perPage, offset].join(" "),
  async (db: Queryable, [{ sessionId, page }]) => {
    const lines = await findLines(db, sessionId, page);
    const found = { lines, total: await totalOf(page, lines.length, () => countLines(db, sessionId)) };
    return () => found;
  },
);

async function countLines(db: Queryable, sessionId: number): Promise<number> {
  const [row] = await countAll(db).execute({ sessionId });
  return row?.total ?? 0;
}

const countAll = prepareQuery((db) =>
  db
    .select({ total: count() })
    .from(audit)
    .where(eq(audit.sessionId, sql.placeholder("sessionId")))
    .prepare("count_audit"),
);

/** What is shown of an entry and of who did it. The site's audit shows it too. */
export const lineColumns = {
  line: audit,
  personal: auditPersonal,
  username: users.username,
  token: accessTokens.name,
  scope: accessTokens.scope,
  title: events.title,
};
/** Joins the event that an entry is about. */
export const isItsEvent = and(eq(events.id, audit.subjectId), eq(audit.subjectType, "event"));

const findPage = prepareQuery((db) =>
  db
    .select(lineColumns)
    .from(audit)
    .leftJoin(auditPersonal, eq(auditPersonal.auditId, audit.id))
    .leftJoin(users, eq(users.id, audit.actorId))
    .leftJoin(accessTokens, eq(accessTokens.id, audit.accessTokenId))
    .leftJoin(events, isItsEvent)
    .where(eq(audit.sessionId, sql.placeholder("sessionId")))
    .orderBy(desc(audit.id))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .prepare("list_audit"),
);

async function findLines(db: Queryable, sessionId: number, page: Page): Promise<AuditLineView[]> {
  const rows = await findPage(db).execute({ sessionId, limit: page.perPage, offset: page.offset });
  return rows.map((row) => ({
    ...presentLine(row),
    subject: { type: v.parse(subjectType, row.line.subjectType), id: row.line.subjectId, title: row.title },
  }));
}

type Row = Pick<
  Awaited<ReturnType<ReturnType<typeof findPage>["execute"]>>[number],
  "line" | "personal" | "username" | "token" | "scope"
>;

/** What an entry says, without its subject. */
export function presentLine({ line, personal, username, token, scope }: Row): Omit<AuditLineView, "subject"> {
  return {
    id: line.id,
    actor:
      line.actorId === null
        ? null
        : {
            id: line.actorId,
            username: username ?? "",
            // The rows of tokens are deleted with their owner's account.
            token: line.accessTokenId === null ? null : (token ?? "a deleted token"),
            ...(scope === "dock" ? { dock: true } : {}),
          },
    action: line.action,
    before: v.parse(auditValues, personal?.before ?? line.before),
    after: v.parse(auditValues, personal?.after ?? line.after),
    reason: line.reason,
    at: line.createdAt.toISOString(),
  };
}

/** An entry about something that this release does not know is shown as one about the session. */
const subjectType = v.fallback(v.picklist(sessionAuditSubjects), "session");
const auditValues = v.fallback(v.record(v.string(), v.unknown()), {});
