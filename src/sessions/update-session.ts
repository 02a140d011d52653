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
import { type LockedSession, type SessionOrder, type SessionRow, withSession } from "./with-session.ts";

/**
 * Changes what is given of a session; settings that are left out stay. A new lead holds for the drafts of a session that
 * is still to start; in a live one, whose schedule stands, for events that are added from now on. The slug never changes.
 * @throws Refusal 404 where there is none; 422 for a stopped one.
 */
export function updateSession(deps: Deps, { changes, ...order }: UpdateSession): Promise<SessionRow> {
  return withSession(deps, order, async (tx, locked) => {
    const { session, actor } = locked;
    if (session.state === "stopped") throw isOver();
    const before = v.parse(sessionSettings, session.settings);
    const settings = v.parse(sessionSettings, { ...before, ...changes.settings });
    if (settings.leadSeconds !== before.leadSeconds) await leadDrafts(tx, locked, settings);
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
type UpdateSession = SessionOrder & { changes: UpdateSessionBody };

const isOver = () =>
  invalid(
    { state: [`cannot transition when ${sessionStateLabels.stopped}`] },
    { detail: "This session is over. It stays as it was played." },
  );

async function leadDrafts(
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
  if (updated === undefined) throw new Error(`session ${session.id} is gone although its row is locked`);
  return updated;
}
