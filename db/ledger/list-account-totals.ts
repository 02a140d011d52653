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

/** What the accounts of each kind hold together. All of them come to zero. */
export async function listAccountTotals(db: Queryable): Promise<AccountTotal[]> {
  const totals = await queryRows(
    db,
    accountTotal,
    sql`SELECT kind, count(*) AS "accountsCount", sum(posted_cents) AS "postedCents", sum(held_cents) AS "heldCents"
      FROM accounts GROUP BY kind`,
  );
  return totals.toSorted((a, b) => accountKinds.indexOf(a.kind) - accountKinds.indexOf(b.kind));
}
