import { eq, sql } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type SessionCommand, type SessionRow, withSession } from "#src/show/sessions/with-session.ts";

/**
 * Makes a new stage link for a session, and ends the one before. Screens that were opened with it see no more than everybody.
 * @returns the session, from which the link follows.
 * @throws Refusal 404 for an unknown session.
 */
export function renewStageLink(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, { session, actor }) => {
    const [renewed] = await tx
      .update(sessions)
      .set({ stageLinkGeneration: sql`${sessions.stageLinkGeneration} + 1` })
      .where(eq(sessions.id, session.id))
      .returning();
    if (renewed === undefined) throw new Error(`session ${session.id} is missing although its row is locked`);
    await writeAudit(tx, {
      actor,
      action: "renew_stage_link",
      subject: { type: "session", id: session.id },
      sessionId: session.id,
      before: {},
      after: {},
    });
    return { session: renewed, rescheduled: [] };
  });
}
