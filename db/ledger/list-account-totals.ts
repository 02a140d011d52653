import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { accountKinds } from "../lists/accounts.ts";
import { queryRows, wholeNumber } from "./query.ts";

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
  const totals = await queryRows(
    db,
    accountTotal,
    sql`SELECT name AS kind, sum(rows_count) AS "accountsCount", sum(posted_cents) AS "postedCents",
        CASE WHEN name = 'wallet' THEN (${heldCents}) ELSE 0 END AS "heldCents"
      FROM totals WHERE name <> 'users' GROUP BY name HAVING sum(rows_count) > 0`,
  );
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
