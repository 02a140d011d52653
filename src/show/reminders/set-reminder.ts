import { and, eq } from "drizzle-orm";
import { type Database, inTransaction } from "#db/client.ts";
import { reminders } from "#db/schema/reminders.ts";
import { sessions } from "#db/schema/sessions.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { isSession } from "#src/show/sessions/find-session.ts";
import { findWay, isPlanned } from "./find-reminder.ts";

/** A viewer and a session. */
export type Reminded = { slugOrId: string; viewer: Pick<Viewer, "id" | "roles"> };

/**
 * Reminds a viewer of a planned session. A reminder that is set already stays.
 * @throws Refusal 404 for a session that is not planned for a time; 422 `unreachable` for a viewer whom no message can reach.
 */
export function setReminder(db: Database, { slugOrId, viewer }: Reminded): Promise<void> {
  return inTransaction(db, async (tx) => {
    const isNamed = isSession(slugOrId);
    // Locked against its deletion until the transaction ends.
    const [session] =
      isNamed === null ? [] : await tx.select().from(sessions).where(isNamed).for("key share");
    if (!isPlanned(session)) throw notFound();
    await requireSessionId(tx, String(session.id), viewer);
    if ((await findWay(tx, viewer.id)) === null) throw unreachable();
    await tx
      .insert(reminders)
      .values({ sessionId: session.id, userId: viewer.id })
      .onConflictDoNothing({ target: [reminders.sessionId, reminders.userId] });
  });
}

/**
 * Takes a reminder back. Without one nothing changes.
 * @throws Refusal 404 for an unknown session, and one that is shut for the viewer.
 */
export async function removeReminder(db: Database, { slugOrId, viewer }: Reminded): Promise<void> {
  const sessionId = await requireSessionId(db, slugOrId, viewer);
  await db.delete(reminders).where(and(eq(reminders.sessionId, sessionId), eq(reminders.userId, viewer.id)));
}

function unreachable() {
  return invalid(
    { reminder: ["has no way to reach you"] },
    {
      code: "unreachable",
      detail:
        "Switch on messages in this browser, or confirm an email address. The calendar file works without either.",
    },
  );
}
