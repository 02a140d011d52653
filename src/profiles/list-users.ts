import { asc, count, ilike, or, type SQL } from "drizzle-orm";
import type * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { presentAvatar } from "#src/sign-ins/present-avatar.ts";
import { gidOf } from "#src/sign-ins/viewer.ts";
import { rolesOfUser } from "#src/users/roles-of-user.ts";
import type { UserRow, usersAnswer, UsersQuery } from "./schemas.ts";

/**
 * Lists users by id, one page at a time, for admins.
 * @param query `search` matches part of the email or username.
 */
export async function listUsers(
  db: Queryable,
  { query, page }: { query: UsersQuery; page: Page },
  now: Date,
): Promise<v.InferOutput<typeof usersAnswer>> {
  const filter = searchFilter(query.search);
  const [rows, [counted]] = await Promise.all([
    db
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
      .where(filter)
      .orderBy(asc(users.id))
      .limit(page.perPage)
      .offset(page.offset),
    db.select({ total: count() }).from(users).where(filter),
  ]);
  return { users: rows.map(presentUser), meta: listMeta(page, counted?.total ?? 0, now) };
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

/** Matches users whose email or username contains the text. Example: "ana" finds dana@example.test. */
function searchFilter(search: string | undefined): SQL | undefined {
  if (search === undefined || search === "") return undefined;
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return or(ilike(users.email, pattern), ilike(users.username, pattern));
}
