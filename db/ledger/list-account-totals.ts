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

/** The balances of the accounts, added up by kind. The posted amounts of all kinds sum to zero. */
export async function listAccountTotals(db: Queryable): Promise<AccountTotal[]> {
  const totals = await queryRows(
    db,
    accountTotal,
    sql`SELECT kind, count(*) AS "accountsCount", sum(posted_cents) AS "postedCents", sum(held_cents) AS "heldCents"
      FROM accounts GROUP BY kind`,
  );
  return totals.toSorted((a, b) => accountKinds.indexOf(a.kind) - accountKinds.indexOf(b.kind));
}
