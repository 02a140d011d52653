import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, removedPlayers } from "#db/schema/sessions.ts";
import { userRoles } from "#db/schema/users.ts";
import { Refusal } from "#src/base/refusal.ts";

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

/** What who comes to a locked room reads. */
export const LOCKED = "The host has locked the room: who is in plays on, and nobody else comes in.";

const lockedSettings = v.object({ locked: v.literal(true) });

/** True if the stored settings of a session lock its room: who is in stays in, and nobody else comes in. */
export function isLocked(settings: unknown): boolean {
  return v.is(lockedSettings, settings);
}

type Room = { id: number; settings: unknown };

/**
 * True for who comes to a locked room from outside. Those who have joined are in, and who runs the session always is.
 * db/sql/functions/judge-calls.sql decides the same for first calls.
 */
export async function isLockedOut(db: Queryable, { id, settings }: Room, userId: number): Promise<boolean> {
  if (!isLocked(settings)) return false;
  const joined = and(eq(registrations.sessionId, id), eq(registrations.userId, userId));
  if ((await db.$count(registrations, joined)) > 0) return false;
  const hosts = and(eq(sessionHosts.sessionId, id), eq(sessionHosts.userId, userId));
  if ((await db.$count(sessionHosts, hosts)) > 0) return false;
  return (await db.$count(userRoles, and(eq(userRoles.userId, userId), eq(userRoles.role, "admin")))) === 0;
}

/** @throws Refusal 403 `locked` where isLockedOut. */
export async function refuseLocked(db: Queryable, room: Room, userId: number): Promise<void> {
  if (!(await isLockedOut(db, room, userId))) return;
  throw new Refusal(403, "locked", `${LOCKED} Ask the host to unlock it.`);
}
