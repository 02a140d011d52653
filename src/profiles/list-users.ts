import { asc, desc, eq, type SQL, sql } from "drizzle-orm";
import type * as v from "valibot";
import { anyOf } from "#db/any-of.ts";
import type { Queryable } from "#db/client.ts";
import { totals } from "#db/schema/totals.ts";
import { signIns, users } from "#db/schema/users.ts";
import { listMeta, type Page, sliceOf } from "#src/http/list-meta.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { rolesOfUser } from "#src/people/users/roles-of-user.ts";
import type { UserOrder } from "./contract.ts";
import type { UserRow, usersAnswer, UsersQuery } from "./schemas.ts";
import { type FoundUsers, lastVisitOf, searchUsers } from "./search-users.ts";

/**
 * Lists users, one page at a time, for admins.
 * @param query `search` matches part of the email or username. A search, a role and the order by the last visit list
 *   SEARCH_FOUND_MAX users at most.
 */
export async function listUsers(
  db: Queryable,
  { query, page }: { query: UsersQuery; page: Page },
  now: Date,
): Promise<v.InferOutput<typeof usersAnswer>> {
  const { search = "", role, order = "newest" } = query;
  const isWhole = search === "" && role === undefined && order !== "last_visit";
  const { ids, totalCount } = await (isWhole
    ? findAllUsers(db, order, page)
    : searchUsers(db, { search, role, order }, page));
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      username: users.username,
      avatar: users.avatar,
      guest: users.guest,
      lockedAt: users.lockedAt,
      deactivatedAt: users.deactivatedAt,
      mergedInto: users.mergedInto,
      createdAt: users.createdAt,
      lastVisitAt: lastVisitOf(sql`users.id`).mapWith(signIns.lastSeenAt),
      roles: rolesOfUser,
    })
    .from(users)
    .where(anyOf(users.id, ids));
  const byId = new Map(rows.map((row) => [row.id, presentUser(row)]));
  const listed = ids.flatMap((id) => byId.get(id) ?? []);
  return { users: listed, meta: listMeta(page, totalCount, now) };
}

/** The ids of a page of all users, from the nearer end of the list. */
async function findAllUsers(
  db: Queryable,
  order: Exclude<UserOrder, "last_visit">,
  page: Page,
): Promise<FoundUsers> {
  const totalCount = await countAllUsers(db);
  const { limit, offset, fromEnd } = sliceOf(page, totalCount);
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .orderBy(directions[order][fromEnd ? "backwards" : "forwards"])
    .limit(limit)
    .offset(offset);
  const ids = rows.map(({ id }) => id);
  return { ids: fromEnd ? ids.toReversed() : ids, totalCount };
}

const name = users.usernameLook;
/** Each by an index, read from either end. */
const directions = {
  newest: { forwards: desc(users.id), backwards: sql`${users.id}` },
  name: { forwards: asc(name), backwards: desc(name) },
} satisfies Record<string, Record<"forwards" | "backwards", SQL>>;

/** Triggers keep the number of all users. */
async function countAllUsers(db: Queryable): Promise<number> {
  const [row] = await db
    .select({ total: sql`coalesce(sum(${totals.rowsCount}), 0)`.mapWith(Number) })
    .from(totals)
    .where(eq(totals.name, "users"));
  return row?.total ?? 0;
}

type Moments = "lockedAt" | "deactivatedAt" | "lastVisitAt";
type Row = Omit<UserRow, "gid" | "avatar" | "createdAt" | Moments> &
  Record<Moments, Date | null> & { createdAt: Date; avatar: unknown };

function presentUser(row: Row): UserRow {
  return {
    ...row,
    gid: gidOf(row.id),
    avatar: presentAvatar(row.avatar),
    lockedAt: row.lockedAt?.toISOString() ?? null,
    deactivatedAt: row.deactivatedAt?.toISOString() ?? null,
    lastVisitAt: row.lastVisitAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
