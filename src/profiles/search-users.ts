import { desc, ilike, or, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRow, wholeNumber } from "#db/ledger/query.ts";
import { users } from "#db/schema/users.ts";
import type { Page } from "#src/http/list-meta.ts";
import { SEARCH_FOUND_MAX } from "./contract.ts";

/** Of how many users a search is tried first. */
const TRIED_USERS = 300;
/** A text that this many of them contain is common. */
const COMMON_MIN = 30;

const foundUsers = v.object({ ids: v.array(wholeNumber), totalCount: wholeNumber });
/** A page of the users that a search finds, and how many it finds. */
export type FoundUsers = v.InferOutput<typeof foundUsers>;

/**
 * Finds users whose email or username contains a text, in any case, ordered by id, SEARCH_FOUND_MAX at most. Example: "ana"
 * finds dana@example.test.
 *
 * It takes as long among many users as among few. A rare text is looked up in the index of pieces. A common one would find most
 * of the index, and is found sooner by reading users in order until there are enough.
 */
export async function searchUsers(db: Queryable, search: string, page: Page): Promise<FoundUsers> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const contains = sql`(${or(ilike(users.email, pattern), ilike(users.username, pattern))})`;
  const found = (await isCommon(db, contains))
    ? sql`SELECT id FROM users WHERE ${contains} ORDER BY id LIMIT ${SEARCH_FOUND_MAX}`
    : sql`SELECT id FROM users WHERE ${hasPieces(search)} AND ${contains}`;
  return queryRow(
    db,
    foundUsers,
    sql`WITH found AS MATERIALIZED (${found}),
      listed AS (SELECT id FROM found ORDER BY id LIMIT ${SEARCH_FOUND_MAX})
      SELECT to_json(ARRAY(SELECT id FROM listed ORDER BY id LIMIT ${page.perPage} OFFSET ${page.offset})) AS ids,
        (SELECT count(*) FROM listed) AS "totalCount"`,
  );
}

/** True if many of the newest users match. */
async function isCommon(db: Queryable, contains: SQL): Promise<boolean> {
  const newest = db
    .select({ email: users.email, username: users.username })
    .from(users)
    .orderBy(desc(users.id))
    .limit(TRIED_USERS);
  const { matches } = await queryRow(
    db,
    v.object({ matches: wholeNumber }),
    sql`SELECT count(*) AS matches FROM (${newest}) AS users WHERE ${contains}`,
  );
  return matches >= COMMON_MIN;
}

/** The user has the pieces of the text, as the index `users_search` has them. Only the longest pieces, which are the rarest. */
function hasPieces(search: string): SQL {
  const size = Math.min(Array.from(search).length, 3);
  const pieces = sql`ARRAY(SELECT p FROM unnest(search_grams(${search}::text)) AS p WHERE length(p) = ${size})`;
  return sql`search_grams(${users.email}, ${users.username}) @> ${pieces}`;
}
