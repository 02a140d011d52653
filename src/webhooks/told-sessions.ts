import { type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import { hasPrivate } from "#src/play/shut-out.ts";

// Decision: a webhook is told about the sessions that it names, or, if it names none, about all that are not private: a private session
// goes only where somebody has named it. The relay asks when it writes a delivery, and the worker again when it sends it, because a
// session may have become private, or the choice another one, while a message waited. The session is read from the message, so what
// a process of another release has written is judged too.

/** In SQL: the session that a message is about; null for a test. @param body the JSON of the cable. */
function sessionOf(body: SQLWrapper): SQL {
  const at = (place: string) => sql`${body}::jsonb #>> ${sql.raw(`'{detail,${place}}'`)}`;
  return sql`coalesce(${at("session,id")}, ${at("event,sessionId")}, ${at("sessionId")})::bigint`;
}

/**
 * In SQL: the webhook is told this message, as things are now. Of a deleted session only the deletion is told, which has no texts.
 * @param wasPrivate the message is about a private session that is deleted.
 */
export function isTold(
  { type, body }: { type: SQLWrapper; body: SQLWrapper },
  wasPrivate: SQLWrapper = sql`FALSE`,
): SQL {
  const named = sql`w.session_ids`;
  return sql`CASE WHEN ${sessionOf(body)} IS NULL THEN TRUE
    WHEN cardinality(${named}) > 0 THEN ${sessionOf(body)} = ANY (${named})
    WHEN ${type} = 'Session/destroy' THEN NOT ${wasPrivate}
    ELSE EXISTS (SELECT FROM ${sessions} WHERE ${sessions.id} = ${sessionOf(body)} AND NOT ${hasPrivate(sessions.settings)}) END`;
}
