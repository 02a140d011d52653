import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";

/** Who does something: a user, or null for the system itself (a timer). */
export type Actor = { id: number } | null;

type AuditSubject =
  | "event"
  | "session"
  | "blueprint"
  | "blueprint_event"
  | "user"
  | "payment"
  | "payment_flag"
  | "message"
  | "leaderboard";

export type AuditLine = {
  actor: Actor;
  /** What was done, by the name of its transition: "close_event". */
  action: string;
  subject: { type: AuditSubject; id: number };
  sessionId: number | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason?: string | null | undefined;
};

/** Writes who did what to what, in the transaction that does it. */
export async function writeAudit(tx: Queryable, ...lines: AuditLine[]): Promise<void> {
  const rows = lines.map(({ actor, subject, ...line }) => ({
    ...line,
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
