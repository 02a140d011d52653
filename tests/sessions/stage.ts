import { asc, desc, eq } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { events, spots } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import type { SessionState } from "#db/lists/sessions.ts";
import { pauseSession } from "#src/sessions/pause-session.ts";
import { startSession } from "#src/sessions/start-session.ts";
import { stopSession } from "#src/sessions/stop-session.ts";
import type { SessionRow } from "#src/sessions/with-session.ts";
import { buildDraft, buildSession, only, readSession } from "#tests/support/build.ts";

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

/** All that a change of a session could touch. */
export async function readEverything({ pool: { db } }: Deps) {
  return {
    sessions: await db.select().from(sessions).orderBy(asc(sessions.id)),
    events: await db.select().from(events).orderBy(asc(events.id)),
    spots: await db.select().from(spots).orderBy(asc(spots.id)),
    auditLines: await db.$count(audit),
  };
}

/** The newest line of the audit log. */
export async function readLastAudit({ pool }: Deps) {
  return only(await pool.db.select().from(audit).orderBy(desc(audit.id)).limit(1));
}

/** What is wrong with a field of a session, and how it is told. */
export const wrongTerms: [session: object, field: string, text: string][] = [
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
