import { and, eq, isNull, or } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { requireUser } from "#src/people/users/require-user.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { findExclusions } from "./find-exclusions.ts";
import type { ExclusionsAnswer, ExclusionsQuery } from "./schemas.ts";

/**
 * A page of the excluded players, newest first: those who are excluded in one session, or all.
 * @throws Refusal 404 for an unknown session or user.
 */
export async function listExclusions(
  db: Queryable,
  { query, page }: { query: ExclusionsQuery; page: Page },
  now: Date,
): Promise<ExclusionsAnswer> {
  const sessionId = await requireSessionId(db, query.sessionId, "host");
  if (query.userId !== undefined) await requireUser(db, query.userId);
  const where = and(
    query.userId === undefined ? undefined : eq(exclusions.userId, query.userId),
    sessionId === undefined
      ? undefined
      : or(eq(exclusions.sessionId, sessionId), isNull(exclusions.sessionId)),
  );
  const [views, totalCount] = await Promise.all([
    findExclusions(db, where, { limit: page.perPage, offset: page.offset }),
    db.$count(exclusions, where),
  ]);
  return { exclusions: views, meta: listMeta(page, totalCount, now) };
}
