import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as v from "valibot";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, removedPlayers } from "#db/schema/sessions.ts";

// Decision: who may enter a session is decided here and in canWatch (src/show/sessions/require-watcher.ts), for every read and every
// act; db/sql/functions/judge-calls.sql decides the same for calls. A private session is for those who have joined or host it, no
// session is for a player whom its host has removed (no host is), and every session is for admins, about whom callers do not ask.

const privateSettings = v.object({ private: v.literal(true) });

/** True if the stored settings of a session make it private. */
export function isPrivate(settings: unknown): boolean {
  return v.is(privateSettings, settings);
}

/** The same in SQL. */
export function hasPrivate(settings: SQLWrapper): SQL {
  return sql`coalesce(${settings} @> '{"private": true}', FALSE)`;
}

/** In SQL: a host has removed the player from the session. */
export function isRemoved(sessionId: SQLWrapper, userId: SQLWrapper): SQL {
  return sql`EXISTS (SELECT 1 FROM ${removedPlayers} x WHERE x.session_id = ${sessionId} AND x.user_id = ${userId})`;
}

/** In SQL: the session does not exist for this player, who is no admin. */
export function isAccessDenied(session: { id: SQLWrapper; settings: SQLWrapper }, userId: SQLWrapper): SQL {
  return sql`(${isRemoved(session.id, userId)} OR ${hasPrivate(session.settings)} AND NOT EXISTS (
    SELECT 1 FROM ${registrations} g WHERE g.session_id = ${session.id} AND g.user_id = ${userId})
    AND NOT EXISTS (SELECT 1 FROM ${sessionHosts} h WHERE h.session_id = ${session.id} AND h.user_id = ${userId}))`;
}
