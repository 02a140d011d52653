import { and, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { writeFact } from "#src/outbox/write-fact.ts";
import { sessionStateLabels } from "./contract.ts";
import { type SessionSettings, sessionSettings, type UpdateSessionBody } from "./schemas.ts";
import { termsOf } from "./session-terms.ts";
import { type LockedSession, type SessionCommand, type SessionRow, withSession } from "./with-session.ts";

/**
 * Changes the given fields and settings of a session; the slug never changes. In a pending session a new lead applies to all
 * drafts; in a live one, whose schedule is fixed, to events added from now on.
 * @throws Refusal 404 for an unknown session; 422 for a stopped one.
 */
export function updateSession(deps: Deps, { changes, ...command }: UpdateSession): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    const { session, actor } = locked;
    if (session.state === "stopped") throw isOver();
    const before = v.parse(sessionSettings, session.settings);
    const settings = v.parse(sessionSettings, { ...before, ...changes.settings });
    if (settings.leadSeconds !== before.leadSeconds) await updateDraftLeads(tx, locked, settings);
    const updated = await writeTerms(tx, locked, { ...changes, settings });
    await writeFact(tx, { kind: "session_changed", sessionId: session.id, change: "update" });
    await writeAudit(tx, {
      actor,
      action: "update_session",
      subject: { type: "session", id: session.id },
      sessionId: session.id,
      before: termsOf(session),
      after: termsOf(updated),
    });
    return { session: updated, rescheduled: [] };
  });
}
type UpdateSession = SessionCommand & { changes: UpdateSessionBody };

const isOver = () =>
  invalid(
    { state: [`cannot transition when ${sessionStateLabels.stopped}`] },
    { detail: "This session is over. It stays as it was played." },
  );

async function updateDraftLeads(
  tx: Transaction,
  { session, at }: LockedSession,
  { leadSeconds }: SessionSettings,
): Promise<void> {
  if (session.state !== "pending") return;
  await tx
    .update(events)
    .set({ leadSeconds, updatedAt: sql`${at}::timestamptz` })
    .where(and(eq(events.sessionId, session.id), eq(events.state, "draft")));
}

async function writeTerms(
  tx: Transaction,
  { session, at }: LockedSession,
  { name, description, startsAt, settings }: UpdateSessionBody,
): Promise<SessionRow> {
  const [updated] = await tx
    .update(sessions)
    .set({
      name,
      description,
      startsAt,
      settings,
      version: sql`${sessions.version} + 1`,
      updatedAt: sql`${at}::timestamptz`,
    })
    .where(eq(sessions.id, session.id))
    .returning();
  if (updated === undefined) throw new Error(`session ${session.id} is missing although its row is locked`);
  return updated;
}
