import { sql, desc, eq, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { wholeNumber } from "#db/ledger/query.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { presentAvatar } from "#src/sign-ins/present-avatar.ts";
import type { ExclusionNote, ExclusionView } from "./schemas.ts";
import { appliesTo } from "./score-conditions.ts";

const admins = alias(users, "admins");

/** Exclusions as admins see them, newest first. */
export async function findExclusions(
  db: Queryable,
  where: SQL | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<ExclusionView[]> {
  const rows = await db
    .select({
      exclusion: exclusions,
      username: users.username,
      avatar: users.avatar,
      sessionName: sessions.name,
      excludedBy: admins.username,
    })
    .from(exclusions)
    .innerJoin(users, eq(users.id, exclusions.userId))
    .innerJoin(admins, eq(admins.id, exclusions.excludedById))
    .leftJoin(sessions, eq(sessions.id, exclusions.sessionId))
    .where(where)
    .orderBy(desc(exclusions.id))
    .limit(limit)
    .offset(offset);
  return rows.map(({ exclusion, username, avatar, sessionName, excludedBy }) => ({
    id: exclusion.id,
    userId: exclusion.userId,
    username,
    avatar: presentAvatar(avatar),
    sessionId: exclusion.sessionId,
    sessionName,
    reason: exclusion.reason,
    excludedBy,
    createdAt: exclusion.createdAt.toISOString(),
  }));
}

const noteRow = v.object({ sessionId: v.nullable(wholeNumber), reason: v.string() });

/**
 * The exclusion of a player from a leaderboard, as the player reads it.
 * @param sessionId null: the leaderboard of all sessions.
 * @returns null if the player is not excluded there.
 */
export async function findExclusion(
  db: Queryable,
  { sessionId, userId }: { sessionId: number | null; userId: number },
): Promise<ExclusionNote | null> {
  const [row] = await db.execute(sql`
    SELECT x.session_id AS "sessionId", x.reason FROM exclusions x
    WHERE x.user_id = ${userId} AND ${appliesTo(sessionId)} ORDER BY x.session_id NULLS FIRST LIMIT 1`);
  return row === undefined ? null : v.parse(noteRow, row);
}
