import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { storedSettings } from "#src/show/sessions/schemas.ts";
import { type SessionCommand, type SessionRow, withSession } from "#src/show/sessions/with-session.ts";

// Decision: the big screen is told by a moment among the settings of the session. It ends by what happens after it, so nothing has to
// take it back, and a screen that is opened later shows the same.

/**
 * Shows the leaders on the big screen until a question opens or a result is decided, or ends that.
 * @throws Refusal 404 for an unknown session; 422 unless it is live.
 */
export function showLeaders(
  deps: Deps,
  { shown, ...command }: SessionCommand & { shown: boolean },
): Promise<SessionRow> {
  return withSession(deps, command, async (tx, { session, actor, at }) => {
    if (session.state !== "running" && session.state !== "paused") throw cannotTransitionVia("Show leaders");
    const { leadersAt: before, ...others } = v.parse(storedSettings, session.settings);
    const now = new Date(at).toISOString();
    const settings = shown ? { ...others, leadersAt: now } : others;
    const [changed = session] = await tx
      .update(sessions)
      .set({ settings, version: sql`${sessions.version} + 1`, updatedAt: sql`${at}::timestamptz` })
      .where(eq(sessions.id, session.id))
      .returning();
    await writeFact(tx, { kind: "session_changed", sessionId: session.id, change: "update" });
    await writeAudit(tx, {
      actor,
      action: shown ? "show_leaders" : "leave_leaders",
      subject: { type: "session", id: session.id },
      sessionId: session.id,
      before: { leadersAt: before ?? null },
      after: { leadersAt: shown ? now : null },
    });
    return { session: changed, rescheduled: [] };
  });
}
