import type { SQL } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "./client.ts";
import { queryValue } from "./ledger/query.ts";

/**
 * Reads what is expensive once, and again when a cheap mark has changed: processes look at it every second or two, and it rarely changes.
 * @param markQuery one row with a text `mark`. Where it fails, as on a database without those tables, all is read each time.
 * @returns reads it from a database.
 */
export function readWhenChanged<Value>(
  markQuery: SQL,
  read: (db: Queryable) => Promise<Value>,
): (db: Queryable) => Promise<Value> {
  const known = new WeakMap<Queryable, { mark: string; value: Value }>();
  return async (db) => {
    const mark = await queryValue(db, v.string())`${markQuery}`.catch(() => null);
    const before = known.get(db);
    if (before !== undefined && before.mark === mark) return before.value;
    const value = await read(db);
    if (mark !== null) known.set(db, { mark, value });
    return value;
  };
}
