import { desc, eq } from "drizzle-orm";
import { outbox } from "#db/schema/outbox.ts";
import type { Deps } from "#src/deps.ts";
import type { SessionState } from "#src/sessions/contract.ts";
import { pauseSession } from "#src/sessions/pause-session.ts";
import { startSession } from "#src/sessions/start-session.ts";
import { stopSession } from "#src/sessions/stop-session.ts";
import type { SessionRow } from "#src/sessions/with-session.ts";
import { buildDraft, buildSession, readSession } from "#tests/support/build.ts";

/** A session with one event, in that state. */
export async function buildSessionIn(deps: Deps, state: SessionState): Promise<SessionRow> {
  const session = await buildSession(deps);
  const order = { sessionId: session.id, actor: null };
  await buildDraft(deps, { sessionId: session.id, startMode: "offset", offsetSeconds: 3_600 });
  if (state === "pending") return session;
  await startSession(deps, order);
  if (state === "stopped") await stopSession(deps, order);
  if (state === "paused") await pauseSession(deps, order);
  return readSession(deps, session.id);
}

/** The changes of a session that the world is told of, newest first. */
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
