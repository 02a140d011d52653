import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { accountKinds } from "../lists/accounts.ts";
import { queryRows, wholeNumber } from "./query.ts";

const check = v.object({ name: v.string(), bad: wholeNumber });
/** One check of the books. `bad` says how much is wrong (a count, or cents); it must always be 0. */
export type BookCheck = v.InferOutput<typeof check>;

/** Runs every check of the books, in one snapshot. db/sql/views/wrong-rows.sql lists what they find. */
export function listBookChecks(db: Queryable): Promise<BookCheck[]> {
  return queryRows(db, check)`SELECT name, bad FROM reconcile`;
}

const id = v.nullable(wholeNumber);
const differingRow = v.object({
  /** The row. Example: "wallet 12". */
  label: v.string(),
  /** The difference. Example: "150 cents, 200 held". */
  detail: v.string(),
  userId: id,
  eventId: id,
  callId: id,
});
/** One row that a check of the reconcile view counts. */
export type DifferingRow = v.InferOutput<typeof differingRow>;

/**
 * Lists rows that a check counts, lowest id first.
 * @param check its name in the reconcile view.
 */
export function listDifferingRows(
  db: Queryable,
  check: string,
  { limit }: { limit: number },
): Promise<DifferingRow[]> {
  return queryRows(db, differingRow)`
    SELECT label, detail, user_id AS "userId", event_id AS "eventId", call_id AS "callId"
    FROM wrong_rows WHERE name = ${check} AND bad IS NOT NULL ORDER BY n LIMIT ${limit}`;
}

const accountTotal = v.object({
  kind: v.picklist(accountKinds),
  accountsCount: wholeNumber,
  postedCents: wholeNumber,
  heldCents: wholeNumber,
});
export type AccountTotal = v.InferOutput<typeof accountTotal>;

/**
 * The balances of the accounts, added up by kind. The posted amounts of all kinds sum to zero. No account is read: triggers keep
 * the totals, and what wallets hold is the pools of the events without a result and the calls that are still to be paid.
 */
export async function listAccountTotals(db: Queryable): Promise<AccountTotal[]> {
  const totals = await queryRows(db, accountTotal)`
    SELECT name AS kind, sum(rows_count) AS "accountsCount", sum(posted_cents) AS "postedCents",
      CASE WHEN name = 'wallet' THEN (${heldCents}) ELSE 0 END AS "heldCents"
    FROM totals WHERE name <> 'users' GROUP BY name HAVING sum(rows_count) > 0`;
  return totals.toSorted((a, b) => accountKinds.indexOf(a.kind) - accountKinds.indexOf(b.kind));
}

/** Events that are open or closed have no result, so all calls in their pools are active. */
const heldCents = sql`
  SELECT coalesce(sum(q.held), 0) FROM (
    SELECT s.pool_cents AS held FROM events e JOIN spots s ON s.event_id = e.id WHERE e.state IN ('open', 'closed')
    UNION ALL
    SELECT c.wager_cents FROM settlements t JOIN calls c ON c.event_id = t.event_id AND c.round = t.round
    WHERE t.paid_at IS NULL AND NOT t.superseded AND c.state = 'closed'
  ) q`;
