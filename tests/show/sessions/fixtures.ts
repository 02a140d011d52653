import { asc, desc, eq } from "drizzle-orm";
import type { SessionState } from "#db/lists/sessions.ts";
import { audit } from "#db/schema/audit.ts";
import { events, spots } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { pauseSession } from "#src/show/sessions/pause-session.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { buildDraft, buildSession, only, readSession } from "#tests/support/build.ts";

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

/** All rows that a change of a session could affect, to compare before and after. */
export async function readEverything({ pool: { db } }: Deps) {
  return {
    sessions: await db.select().from(sessions).orderBy(asc(sessions.id)),
    events: await db.select().from(events).orderBy(asc(events.id)),
    spots: await db.select().from(spots).orderBy(asc(spots.id)),
    auditLines: await db.$count(audit),
  };
}

/** The newest entry of the audit log. */
export async function readLastAudit({ pool }: Deps) {
  return only(await pool.db.select().from(audit).orderBy(desc(audit.id)).limit(1));
}

/** Invalid fields of a session, and their errors. */
export const invalidFields: [session: object, field: string, text: string][] = [
  [{ name: "" }, "name", "can't be blank"],
  [{ name: " \n" }, "name", "can't be blank"],
  [{ name: null }, "name", "can't be blank"],
  [{ name: "x".repeat(81) }, "name", "is too long (maximum is 80 characters)"],
  [{ name: "a\0b" }, "name", "is invalid"],
  [{ description: "x".repeat(501) }, "description", "is too long (maximum is 500 characters)"],
  [{ starts_at: "soon" }, "startsAt", "is not a valid date"],
  [{ starts_at: "2026-02-30T25:00:00Z" }, "startsAt", "is not a valid date"],
  [{ settings: { lead_seconds: 601 } }, "settings.leadSeconds", "must be less than or equal to 600"],
  [
    { settings: { settlement_delay_seconds: -1 } },
    "settings.settlementDelaySeconds",
    "must be greater than or equal to 0",
  ],
  [{ settings: { lead_seconds: null } }, "settings.leadSeconds", "is not a number"],
  [{ settings: { odds: 1 } }, "settings.odds", "is invalid"],
  [{ state: "running" }, "state", "is invalid"],
  [{ active: true }, "active", "is invalid"],
  [{ rehearsal: true }, "rehearsal", "is invalid"],
];
