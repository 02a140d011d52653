import { and, asc, count, eq, ilike, inArray, or, type SQL, sql } from "drizzle-orm";
import type * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { totals } from "#db/schema/totals.ts";
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
  // Skipped users are not read.
  const ids = db
    .select({ id: users.id })
    .from(users)
    .where(filter)
    .orderBy(asc(users.id))
    .limit(page.perPage)
    .offset(page.offset);
  const [rows, totalCount] = await Promise.all([
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
      .where(inArray(users.id, ids))
      .orderBy(asc(users.id)),
    filter === undefined ? countAllUsers(db) : countUsers(db, filter),
  ]);
  return { users: rows.map(presentUser), meta: listMeta(page, totalCount, now) };
}

/** Triggers keep the number of all users. */
async function countAllUsers(db: Queryable): Promise<number> {
  const [row] = await db
    .select({ total: sql`coalesce(sum(${totals.rowsCount}), 0)`.mapWith(Number) })
    .from(totals)
    .where(eq(totals.name, "users"));
  return row?.total ?? 0;
}

async function countUsers(db: Queryable, filter: SQL): Promise<number> {
  const [row] = await db.select({ total: count() }).from(users).where(filter);
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

/** Matches users whose email or username contains the text. Example: "ana" finds dana@example.test. */
function searchFilter(search: string | undefined): SQL | undefined {
  if (search === undefined || search === "") return undefined;
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const contains = or(ilike(users.email, pattern), ilike(users.username, pattern));
  // The index of pieces knows which users can match, from two characters on. Longer pieces are rarer.
  const size = Math.min(Array.from(search).length, 3);
  if (size < 2) return contains;
  const pieces = sql`ARRAY(SELECT p FROM unnest(search_grams(${search}::text)) AS p WHERE length(p) = ${size})`;
  return and(sql`search_grams(${users.email}, ${users.username}) @> ${pieces}`, contains);
}
