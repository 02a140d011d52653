import { asc, eq, and, inArray } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { audit } from "#db/schema/audit.ts";
import { users } from "#db/schema/users.ts";
import { sessionAuditSubjects } from "#src/show/sessions/contract.ts";
import type { ReplayAct } from "./contract.ts";

const subjectType = v.picklist(sessionAuditSubjects);
/** Of all values, those that say what was done. */
const recorded = v.fallback(
  v.object({
    result: v.exactOptional(v.fallback(v.string(), "")),
    pendingResult: v.exactOptional(v.fallback(v.string(), "")),
    shiftMs: v.exactOptional(v.fallback(v.number(), 0)),
    takenBackCents: v.exactOptional(v.fallback(v.number(), 0)),
  }),
  {},
);

/** What people and timers did in a session, by the audit, in order. Without the values that they changed. */
export async function readActs(
  db: Queryable,
  sessionId: number,
): Promise<{ atMs: number; act: ReplayAct }[]> {
  const rows = await db
    .select({
      id: audit.id,
      actorId: audit.actorId,
      username: users.username,
      token: accessTokens.name,
      tokenId: audit.accessTokenId,
      action: audit.action,
      after: audit.after,
      subjectType: audit.subjectType,
      subjectId: audit.subjectId,
      reason: audit.reason,
      at: audit.createdAt,
    })
    .from(audit)
    .leftJoin(users, eq(users.id, audit.actorId))
    .leftJoin(accessTokens, eq(accessTokens.id, audit.accessTokenId))
    .where(and(eq(audit.sessionId, sessionId), inArray(audit.subjectType, [...sessionAuditSubjects])))
    .orderBy(asc(audit.createdAt), asc(audit.id));
  return rows.map(({ id, actorId, username, token, tokenId, action, after, reason, at, ...subject }) => ({
    atMs: at.getTime(),
    act: {
      id,
      actor:
        actorId === null
          ? null
          : {
              id: actorId,
              username: username ?? "",
              token: tokenId === null ? null : (token ?? "a deleted token"),
            },
      action,
      after: v.parse(recorded, after),
      subject: { type: v.parse(subjectType, subject.subjectType), id: subject.subjectId },
      reason,
    },
  }));
}
