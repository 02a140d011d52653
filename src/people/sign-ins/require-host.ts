import { eq } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { findDecision } from "#db/ledger/list-settled-calls.ts";
import { onlyDigits } from "#db/lists/session-address.ts";
import { events } from "#db/schema/events.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { messages } from "#db/schema/messages.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { forbidden } from "#src/base/refusal.ts";
import { idIn } from "#src/http/check-input.ts";
import type { Endpoint } from "#src/http/endpoint.ts";
import { isAdmin, type Viewer } from "./viewer.ts";

// Decision: who runs a session is asked where it matters, of that session: `can(viewer, "run", session)`. The audience `host` lets nobody
// in whom the session of its record does not: an endpoint that names none is for admins alone.

/** True for an admin, and for a host of this session: they run it. An event of none is for admins. */
export function can(
  viewer: Pick<Viewer, "roles" | "hostOf"> | null,
  _act: "run",
  session: { id: number | null },
): boolean {
  return isAdmin(viewer) || (viewer?.hostOf.some((id) => id === session.id) ?? false);
}

type Fields = Record<string, unknown>;
/** The parts of a request that can name its session. Query and body are read where they do. */
type Asked = { params: Fields; query: () => Fields; body: () => Fields };

/**
 * Refuses who does not run the session that a request is about, as if nobody had looked for it: 403.
 * @param asked `dockOf`: the session of the dock that asks, which is let into no other; null: no dock.
 */
export async function requireHostOf(
  { pool }: Pick<Deps, "pool">,
  { who, session }: Pick<Endpoint, "who" | "session">,
  { viewer, dockOf = null, ...asked }: Asked & { viewer: Viewer | null; dockOf?: number | null },
): Promise<void> {
  if (dockOf === null && (who !== "host" || isAdmin(viewer))) return;
  const id = session === undefined ? null : await findSessionOf(pool.db, session, asked);
  if (id === null || (dockOf ?? id) !== id || !can(viewer, "run", { id })) throw forbidden();
}

const named = v.object({ sessionId: v.union([v.number(), v.string()]) });
/** A body has its resource under its first key, such as `event`. */
const resourceOf = (body: Fields) => Object.values(body)[0];

/** The id of the session that a request is about; null if it names none that exists. */
async function findSessionOf(
  db: Queryable,
  session: NonNullable<Endpoint["session"]>,
  { params, query, body }: Asked,
): Promise<number | null> {
  const { id } = params;
  if (session === "id") return findSession(db, id);
  if (session === "query" || session === "body") {
    const from = v.safeParse(named, session === "query" ? query() : resourceOf(body()));
    return from.success ? findSession(db, from.output.sessionId) : null;
  }
  if (typeof id !== "number") return null;
  return firstOf(sessionOfRow(db, session, id));
}

async function findSession(db: Queryable, key: unknown): Promise<number | null> {
  const text = String(key);
  if (onlyDigits.test(text)) return idIn(text);
  return firstOf(db.select({ sessionId: sessions.id }).from(sessions).where(eq(sessions.slug, text)));
}

async function sessionOfRow(
  db: Queryable,
  of: "event" | "message" | "decision" | "exclusion",
  id: number,
): Promise<{ sessionId: number | null }[]> {
  if (of === "message")
    return db.select({ sessionId: messages.sessionId }).from(messages).where(eq(messages.id, id));
  if (of === "exclusion")
    return db.select({ sessionId: exclusions.sessionId }).from(exclusions).where(eq(exclusions.id, id));
  const eventId = of === "event" ? id : ((await findDecision(db, id))?.eventId ?? 0);
  return db.select({ sessionId: events.sessionId }).from(events).where(eq(events.id, eventId));
}

async function firstOf(rows: PromiseLike<{ sessionId: number | null }[]>): Promise<number | null> {
  return (await rows)[0]?.sessionId ?? null;
}
