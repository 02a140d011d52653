import { desc, eq, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { presentAvatar } from "#src/sign-ins/present-avatar.ts";
import type { ExclusionView } from "./schemas.ts";

const admins = alias(users, "admins");

/** Exclusions as admins see them, newest first. */
export async function findExclusions(
  db: Queryable,
  which: SQL | undefined,
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
    .where(which)
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
