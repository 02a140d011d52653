import { check, index, pgTable, text } from "drizzle-orm/pg-core";
import { totalNames } from "../lists/totals.ts";
import { cents, identity, oneOf } from "./columns.ts";

/**
 * How many users there are, and how many accounts of each kind with what sum: kept by triggers, so that no page counts all users
 * or adds up all accounts. A total is the sum of its parts. A transaction changes a part that no other one has locked, and adds
 * a part if there is none: so nobody waits for a total, and there are as many parts as there were transactions at once. A part
 * can be negative: one transaction counts a row, another one removes it.
 */
export const totals = pgTable(
  "totals",
  {
    id: identity(),
    name: text({ enum: totalNames }).notNull(),
    rowsCount: cents().notNull().default(0),
    /** The sum of the balances of the accounts (posted); 0 for users. */
    postedCents: cents().notNull().default(0),
  },
  (table) => [index("totals_name").on(table.name), check("totals_name_known", oneOf(table.name, totalNames))],
);
