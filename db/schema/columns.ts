import { type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { bigint, customType, timestamp } from "drizzle-orm/pg-core";

/** jsonb that passes objects through: Drizzle's own column encodes twice with Bun's SQL client. */
export const jsonb = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => "jsonb",
  toDriver: (value) => value,
  fromDriver: (value) => value,
});

/** A whole number of cents. */
export const cents = () => bigint({ mode: "number" });

/** A row's own number, made by the database. */
export const identity = () => bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity();

/** A reference to another row's number. */
export const rowId = () => bigint({ mode: "number" });

/** A moment, to the microsecond, always with its zone. */
export const moment = () => timestamp({ withTimezone: true, mode: "date" });

export const createdAt = () =>
  moment()
    .notNull()
    .default(sql`clock_timestamp()`);
export const updatedAt = () =>
  moment()
    .notNull()
    .default(sql`clock_timestamp()`);

/** A condition for CHECK: the column holds one of the words of a list. Example: `kind IN ('grant', 'deposit')`. */
export function oneOf(column: SQLWrapper, words: readonly string[]): SQL {
  return sql`${column} IN (${sql.raw(words.map((word) => `'${word}'`).join(", "))})`;
}
