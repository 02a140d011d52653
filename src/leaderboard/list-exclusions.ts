import { and, count, desc, eq, isNull, or } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { users } from "#db/schema/users.ts";
import { findSessionId } from "#src/calls/find-session-id.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { presentAvatar } from "#src/users/present-avatar.ts";
import type { ExclusionsAnswer, ExclusionsQuery, ExclusionView } from "./contract.ts";

const admins = alias(users, "admins");

/**
 * A page of the players who are not ranked, newest first: those who are missing in one session, or all.
 * @throws Refusal 404 for an unknown session.
 */
export async function listExclusions(
  db: Queryable,
  { query, page }: { query: ExclusionsQuery; page: Page },
  now: Date,
): Promise<ExclusionsAnswer> {
  const sessionId = await findSessionId(db, query.sessionId);
  const which = and(
    query.userId === undefined ? undefined : eq(exclusions.userId, query.userId),
    sessionId === undefined
      ? undefined
      : or(eq(exclusions.sessionId, sessionId), isNull(exclusions.sessionId)),
  );
  const [rows, [counted]] = await Promise.all([
    db
      .select({ exclusion: exclusions, player: users, excludedBy: admins.username })
      .from(exclusions)
      .innerJoin(users, eq(users.id, exclusions.userId))
      .innerJoin(admins, eq(admins.id, exclusions.excludedById))
      .where(which)
      .orderBy(desc(exclusions.id))
      .limit(page.perPage)
      .offset(page.offset),
    db.select({ total: count() }).from(exclusions).where(which),
  ]);
  return { exclusions: rows.map(presentExclusion), meta: listMeta(page, counted?.total ?? 0, now) };
}

type ExclusionRow = {
  exclusion: typeof exclusions.$inferSelect;
  player: { username: string; avatar: unknown };
  excludedBy: string;
};

export function presentExclusion({ exclusion, player, excludedBy }: ExclusionRow): ExclusionView {
  return {
    id: exclusion.id,
    userId: exclusion.userId,
    username: player.username,
    avatar: presentAvatar(player.avatar),
    sessionId: exclusion.sessionId,
    reason: exclusion.reason,
    excludedBy,
    createdAt: exclusion.createdAt.toISOString(),
  };
}
