import { and, desc, eq, isNull, or, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRows, wholeNumber, writeIntegerArray } from "#db/ledger/query.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { batchReads } from "#src/base/batcher.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { requireUser } from "#src/people/users/roles-of-user.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import {
  type ExclusionNote,
  type ExclusionsAnswer,
  exclusionSchema,
  type ExclusionsQuery,
  type ExclusionView,
} from "./schemas.ts";
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
  return rows.map(({ exclusion, avatar, ...row }) =>
    present(exclusionSchema, { ...exclusion, ...row, avatar: presentAvatar(avatar) }),
  );
}

/** A player of a leaderboard. `sessionId` null: that of all sessions. */
type Asked = { sessionId: number | null; userId: number };

/**
 * The exclusion of a player from a leaderboard, as the player reads it; null if the player is not excluded there. All who ask at
 * the same moment share one read for each leaderboard.
 */
export const findExclusion = batchReads(
  ({ sessionId }: Asked) => sessionId,
  async (db: Queryable, players) => {
    const notes = await selectNotes(db, players);
    return ({ userId }) => notes.get(userId) ?? null;
  },
);

const noteRow = v.object({ userId: wholeNumber, sessionId: v.nullable(wholeNumber), reason: v.string() });

/** The notes by player: of two exclusions the one from all leaderboards. */
async function selectNotes(
  db: Queryable,
  players: readonly [Asked, ...Asked[]],
): Promise<Map<number, ExclusionNote>> {
  const [{ sessionId }] = players;
  const userIds = [...new Set(players.map(({ userId }) => userId))];
  const rows = await queryRows(db, noteRow)`
    SELECT DISTINCT ON (x.user_id) x.user_id AS "userId", x.session_id AS "sessionId", x.reason FROM exclusions x
    WHERE x.user_id = ANY (${writeIntegerArray(userIds)}::bigint[]) AND ${appliesTo(sessionId)}
    ORDER BY x.user_id, x.session_id NULLS FIRST`;
  return new Map(rows.map(({ userId, ...note }) => [userId, note]));
}

/** A page of the excluded players, newest first: those who are excluded in one session, or all. */
export async function listExclusions(
  db: Queryable,
  { query, page }: { query: ExclusionsQuery; page: Page },
  now: Date,
): Promise<ExclusionsAnswer> {
  const sessionId = await requireSessionId(db, query.sessionId, "host");
  if (query.userId !== undefined) await requireUser(db, query.userId);
  const where = and(
    query.userId === undefined ? undefined : eq(exclusions.userId, query.userId),
    sessionId === undefined
      ? undefined
      : or(eq(exclusions.sessionId, sessionId), isNull(exclusions.sessionId)),
  );
  const [views, totalCount] = await Promise.all([
    findExclusions(db, where, { limit: page.perPage, offset: page.offset }),
    db.$count(exclusions, where),
  ]);
  return { exclusions: views, meta: listMeta(page, totalCount, now) };
}
