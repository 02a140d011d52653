import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import type { AuditSubject } from "#db/lists/audit.ts";
import { audit, auditPersonal } from "#db/schema/audit.ts";

/** Who performs an action: a user, perhaps by a program with an access token, or null for the system itself (a timer). */
export type Actor = { id: number; accessTokenId?: number } | null;

export type AuditEntry = {
  actor: Actor;
  /** The name of the action or transition: "close_event". */
  action: string;
  subject: { type: AuditSubject; id: number };
  /** The session whose log has it. Without one only the log of the whole site has it. */
  sessionId?: number | null;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string | null | undefined;
};

const rowOf = ({ actor, subject, ...entry }: AuditEntry) => ({
  sessionId: null,
  before: {},
  after: {},
  ...entry,
  actorId: actor?.id ?? null,
  accessTokenId: actor?.accessTokenId ?? null,
  subjectType: subject.type,
  subjectId: subject.id,
});

/** Writes audit entries (who did what to which record), in the transaction of the action itself. */
export async function writeAudit(tx: Queryable, ...entries: AuditEntry[]): Promise<void> {
  await tx.execute(sql`INSERT INTO audit
      (actor_id, access_token_id, action, subject_type, subject_id, session_id, before, after, reason)
    SELECT "actorId", "accessTokenId", action, "subjectType", "subjectId", "sessionId", before, after, reason
    FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(entries.map(rowOf))}::text::jsonb) AS (
      "actorId" bigint, "accessTokenId" bigint, action text, "subjectType" text, "subjectId" bigint, "sessionId" bigint,
      before jsonb, after jsonb, reason text
    )) WITH ORDINALITY ORDER BY ordinality`);
}

/**
 * Writes an audit entry whose values are personal. They are deleted with the account of their user; the entry stays.
 * @param personal the user whom they are about, and the values.
 */
export async function writePersonalAudit(
  tx: Queryable,
  entry: Omit<AuditEntry, "before" | "after">,
  personal: { userId: number; before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> {
  const [written] = await tx.insert(audit).values(rowOf(entry)).returning({ id: audit.id });
  if (written === undefined) throw new Error("the insert of an audit entry returned no row");
  await tx.insert(auditPersonal).values({ auditId: written.id, ...personal });
}
