import { desc, eq } from "drizzle-orm";
import type { SessionState } from "#db/lists/sessions.ts";
import { outbox } from "#db/schema/outbox.ts";
import type { Deps } from "#src/base/deps.ts";
import { pauseSession } from "#src/show/sessions/pause-session.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { buildDraft, buildSession, readSession } from "#tests/support/build.ts";

/** A session in this state, with one event. */
export async function buildSessionIn(deps: Deps, state: SessionState): Promise<SessionRow> {
  const session = await buildSession(deps);
  const command = { sessionId: session.id, actor: null };
  await buildDraft(deps, { sessionId: session.id, startMode: "offset", offsetSeconds: 3_600 });
  if (state === "pending") return session;
  await startSession(deps, command);
  if (state === "stopped") await stopSession(deps, command);
  if (state === "paused") await pauseSession(deps, command);
  return readSession(deps, session.id);
}

/** The changes of a session in the outbox, newest first. */
export async function listChanges({ pool }: Deps, sessionId: number): Promise<unknown[]> {
  const rows = await pool.db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(eq(outbox.kind, "session_changed"))
    .orderBy(desc(outbox.id));
  return rows.flatMap(({ payload }) => {
    if (typeof payload !== "object" || payload === null) return [];
    if (!("sessionId" in payload && "change" in payload) || payload.sessionId !== sessionId) return [];
    return [payload.change];
  });
}

/** Invalid fields of a session, and their errors, beside those that tests/api/walk.test.ts sends. */
export const invalidFields: [session: object, field: string, text: string][] = [
  [{ name: " \n" }, "name", "can't be blank"],
  [{ name: "a\0b" }, "name", "is invalid"],
  [{ starts_at: "2026-02-30T25:00:00Z" }, "startsAt", "is not a valid date"],
  [{ state: "running" }, "state", "is invalid"],
  [{ active: true }, "active", "is invalid"],
  [{ rehearsal: true }, "rehearsal", "is invalid"],
];
