import { asc, desc, eq, sql } from "drizzle-orm";
import type * as v from "valibot";
import { anyOf } from "#db/any-of.ts";
import type { Queryable } from "#db/client.ts";
import { totals } from "#db/schema/totals.ts";
import { users } from "#db/schema/users.ts";
import { listMeta, type Page, sliceOf } from "#src/http/list-meta.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { rolesOfUser } from "#src/people/users/roles-of-user.ts";
import type { UserRow, usersAnswer, UsersQuery } from "./schemas.ts";
import { type FoundUsers, searchUsers } from "./search-users.ts";

/**
 * Lists users by id, one page at a time, for admins.
 * @param query `search` matches part of the email or username; it lists SEARCH_FOUND_MAX users at most.
 */
export async function listUsers(
  db: Queryable,
  { query, page }: { query: UsersQuery; page: Page },
  now: Date,
): Promise<v.InferOutput<typeof usersAnswer>> {
  const { search = "" } = query;
  const { ids, totalCount } = await (search === "" ? findAllUsers(db, page) : searchUsers(db, search, page));
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      username: users.username,
      avatar: users.avatar,
      guest: users.guest,
      lockedAt: users.lockedAt,
      deactivatedAt: users.deactivatedAt,
      createdAt: users.createdAt,
      roles: rolesOfUser,
    })
    .from(users)
    .where(anyOf(users.id, ids))
    .orderBy(asc(users.id));
  return { users: rows.map(presentUser), meta: listMeta(page, totalCount, now) };
}

/** The ids of a page of all users, from the nearer end of the list. */
async function findAllUsers(db: Queryable, page: Page): Promise<FoundUsers> {
  const totalCount = await countAllUsers(db);
  const { limit, offset, fromEnd } = sliceOf(page, totalCount);
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .orderBy(fromEnd ? desc(users.id) : asc(users.id))
    .limit(limit)
    .offset(offset);
  return { ids: rows.map(({ id }) => id), totalCount };
}

/** Triggers keep the number of all users. */
async function countAllUsers(db: Queryable): Promise<number> {
  const [row] = await db
    .select({ total: sql`coalesce(sum(${totals.rowsCount}), 0)`.mapWith(Number) })
    .from(totals)
    .where(eq(totals.name, "users"));
  return row?.total ?? 0;
}

type Row = Omit<UserRow, "gid" | "avatar" | "lockedAt" | "deactivatedAt" | "createdAt"> &
  Record<"lockedAt" | "deactivatedAt", Date | null> & { createdAt: Date; avatar: unknown };

function presentUser(row: Row): UserRow {
  return {
    ...row,
    gid: gidOf(row.id),
    avatar: presentAvatar(row.avatar),
    lockedAt: row.lockedAt?.toISOString() ?? null,
    deactivatedAt: row.deactivatedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
