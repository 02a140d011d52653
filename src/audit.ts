import type { Queryable } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";

/** Who does something: a user, or null for the system itself (a timer). */
export type Actor = { id: number } | null;

export type AuditLine = {
  actor: Actor;
  /** What was done, by the name of its transition: "close_event". */
  action: string;
  subject: { type: "event" | "session" | "blueprint" | "blueprint_event" | "user"; id: number };
  sessionId: number | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason?: string | null | undefined;
};

/** Writes who did what to what, in the transaction that does it. */
export async function writeAudit(tx: Queryable, line: AuditLine): Promise<void> {
  await tx.insert(audit).values({
    actorId: line.actor?.id ?? null,
    action: line.action,
    subjectType: line.subject.type,
    subjectId: line.subject.id,
    sessionId: line.sessionId,
    before: line.before,
    after: line.after,
    reason: line.reason ?? null,
  });
}
