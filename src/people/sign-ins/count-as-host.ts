import { eq } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { findDecision } from "#db/ledger/decisions/list-decisions.ts";
import { onlyDigits } from "#db/lists/session-address.ts";
import { events } from "#db/schema/events.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { messages } from "#db/schema/messages.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { forbidden } from "#src/base/refusal.ts";
import type { Endpoint } from "#src/http/endpoint.ts";
import { idIn } from "#src/http/read-id.ts";
import { isAdmin, type Viewer } from "./viewer.ts";

// Decision: a host of one session counts as an admin in it, and that is decided here alone, by what the endpoint's record says of its
// session. A handler gets the viewer with the role, as it gets an admin, so no handler has a rule of its own and none can forget one.
// The sign-in says which sessions a viewer hosts, so all others cost nothing.

/** The viewer as the user acts in a session: with the role of an admin for its host. */
export function inSession<Someone extends Pick<Viewer, "roles" | "hostOf">>(
  viewer: Someone,
  sessionId: number,
): Someone & Pick<Viewer, "actsIn"> {
  if (isAdmin(viewer) || !viewer.hostOf.includes(sessionId)) return viewer;
  return { ...viewer, roles: [...viewer.roles, "admin"], actsIn: sessionId };
}

type Fields = Record<string, unknown>;
/** The parts of a request that can name its session. Query and body are read where they do. */
type Asked = { params: Fields; query: () => Fields; body: () => Fields };

/**
 * The viewer of a request as the user acts in the session that it is about.
 * @throws Refusal 403 for an endpoint for hosts and a session that the viewer does not host: as if nobody had looked for it.
 */
export async function countAsHost(
  { pool }: Pick<Deps, "pool">,
  { who, session }: Pick<Endpoint, "who" | "session">,
  { viewer, ...asked }: Asked & { viewer: Viewer | null },
): Promise<Viewer | null> {
  if (viewer === null || session === undefined || isAdmin(viewer) || viewer.hostOf.length === 0)
    return viewer;
  const sessionId = await findSessionOf(pool.db, session, asked);
  const acting = sessionId === null ? viewer : inSession(viewer, sessionId);
  if (who === "host" && !isAdmin(acting)) throw forbidden();
  return acting;
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
