import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import type { AuditSubject } from "#db/lists/audit.ts";

/** Who performs an action: a user, or null for the system itself (a timer). */
export type Actor = { id: number } | null;

type AuditEntry = {
  actor: Actor;
  /** The name of the action or transition: "close_event". */
  action: string;
  subject: { type: AuditSubject; id: number };
  sessionId: number | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason?: string | null | undefined;
};

/** Writes audit entries (who did what to which record), in the transaction of the action itself. */
export async function writeAudit(tx: Queryable, ...entries: AuditEntry[]): Promise<void> {
  const rows = entries.map(({ actor, subject, ...entry }) => ({
    ...entry,
    actorId: actor?.id ?? null,
    subjectType: subject.type,
    subjectId: subject.id,
  }));
  await tx.execute(sql`INSERT INTO audit
      (actor_id, action, subject_type, subject_id, session_id, before, after, reason)
    SELECT "actorId", action, "subjectType", "subjectId", "sessionId", before, after, reason
    FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS (
      "actorId" bigint, action text, "subjectType" text, "subjectId" bigint, "sessionId" bigint,
      before jsonb, after jsonb, reason text
    )) WITH ORDINALITY ORDER BY ordinality`);
}
