import { asc, desc, eq, ilike, or, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { anyOf, queryRow, queryValue, wholeNumber } from "#db/ledger/query.ts";
import { pick } from "#db/pick.ts";
import { totals } from "#db/schema/totals.ts";
import { signIns, users } from "#db/schema/users.ts";
import { listMeta, type Page, sliceOf } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { rolesOfUser } from "#src/people/users/roles-of-user.ts";
import { SEARCH_FOUND_MAX, type UserOrder } from "./contract.ts";
import { userRow, type UsersQuery, type usersAnswer } from "./schemas.ts";

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
      ...pick(users, "id", "email", "username", "avatar", "guest", "lockedAt", "deactivatedAt", "mergedInto"),
      ...pick(users, "createdAt"),
      lastVisitAt: lastVisitOf(sql`users.id`).mapWith(signIns.lastSeenAt),
      roles: rolesOfUser,
    })
    .from(users)
    .where(anyOf(users.id, ids));
  const views = rows.map((row) =>
    present(userRow, { ...row, gid: gidOf(row.id), avatar: presentAvatar(row.avatar) }),
  );
  const byId = new Map(views.map((view) => [view.id, view]));
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

/** Of how many users a search is tried first. */
const TRIED_USERS = 300;
/** A text that this many of them contain is common. */
const COMMON_MIN = 30;

const foundUsers = v.object({ ids: v.array(wholeNumber), totalCount: wholeNumber });
type FoundUsers = v.InferOutput<typeof foundUsers>;

/** Whom to find, and in which order. An empty search is left out. */
type Asked = { search: string; role: UsersQuery["role"]; order: UserOrder };

/** When a user was last seen, in SQL; null if that is longer ago than sign-ins are kept. */
const lastVisitOf = (id: SQL) =>
  sql<Date | null>`(SELECT max(s.last_seen_at) FROM sign_ins s WHERE s.user_id = ${id})`;

const orders: Record<UserOrder, SQL> = {
  newest: sql`id DESC`,
  name: sql`(SELECT u.username_look FROM users u WHERE u.id = listed.id)`,
  last_visit: sql`${lastVisitOf(sql`listed.id`)} DESC NULLS LAST, id DESC`,
};

const groups: Record<NonNullable<UsersQuery["role"]>, SQL> = {
  admin: sql`id IN (SELECT user_id FROM user_roles WHERE role = 'admin')`,
  operator: sql`id IN (SELECT user_id FROM user_roles WHERE role = 'operator')`,
  account: sql`NOT guest`,
  guest: sql`guest`,
};

/**
 * Finds the newest users of a role whose email or username contains a text, in any case, SEARCH_FOUND_MAX at most, or without both
 * those who were here last. Example: "ana" finds dana@example.test.
 *
 * It takes as long among many users as among few. A rare text is looked up in the index of pieces. A common one would find most
 * of the index, and is found sooner by reading users in order until there are enough.
 */
export async function searchUsers(db: Queryable, asked: Asked, page: Page): Promise<FoundUsers> {
  return queryRow(db, foundUsers)`WITH found AS MATERIALIZED (${await selectFound(db, asked)}),
    listed AS (SELECT id FROM found ORDER BY id DESC LIMIT ${SEARCH_FOUND_MAX})
    SELECT to_json(ARRAY(SELECT id FROM listed ORDER BY ${orders[asked.order]}
        LIMIT ${page.perPage} OFFSET ${page.offset})) AS ids,
      (SELECT count(*) FROM listed) AS "totalCount"`;
}

/** The newest sign-ins among which the last visitors are looked for: some have several browsers. */
const SIGN_INS_READ = 5 * SEARCH_FOUND_MAX;

async function selectFound(db: Queryable, { search, role }: Asked): Promise<SQL> {
  const group = role === undefined ? sql`true` : groups[role];
  if (search === "" && role === undefined) {
    return sql`SELECT user_id AS id FROM (SELECT user_id, last_seen_at FROM sign_ins ORDER BY last_seen_at DESC
        LIMIT ${SIGN_INS_READ}) newest
      GROUP BY user_id ORDER BY max(last_seen_at) DESC LIMIT ${SEARCH_FOUND_MAX}`;
  }
  if (search === "") {
    // Guests have an index by their age.
    return role === "guest"
      ? sql`SELECT id FROM users WHERE guest AND deactivated_at IS NULL ORDER BY created_at DESC LIMIT ${SEARCH_FOUND_MAX}`
      : sql`SELECT id FROM users WHERE ${group} ORDER BY id DESC LIMIT ${SEARCH_FOUND_MAX}`;
  }
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const contains = sql`(${or(ilike(users.email, pattern), ilike(users.username, pattern))})`;
  return (await isCommon(db, contains))
    ? sql`SELECT id FROM users WHERE ${contains} AND ${group} ORDER BY id DESC LIMIT ${SEARCH_FOUND_MAX}`
    : sql`SELECT id FROM users WHERE ${hasPieces(search)} AND ${contains} AND ${group}`;
}

async function isCommon(db: Queryable, contains: SQL): Promise<boolean> {
  const newest = db
    .select({ email: users.email, username: users.username })
    .from(users)
    .orderBy(desc(users.id))
    .limit(TRIED_USERS);
  const matches = await queryValue(db, wholeNumber)`
    SELECT count(*) FROM (${newest}) AS users WHERE ${contains}`;
  return matches >= COMMON_MIN;
}

/** The user has the pieces of the text, as the index `users_search` has them. Only the longest pieces, which are the rarest. */
function hasPieces(search: string): SQL {
  const size = Math.min(Array.from(search).length, 3);
  const pieces = sql`ARRAY(SELECT p FROM unnest(search_grams(${search}::text)) AS p WHERE length(p) = ${size})`;
  return sql`search_grams(${users.email}, ${users.username}) @> ${pieces}`;
}
