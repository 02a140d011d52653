import { sql } from "drizzle-orm";
import { index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { identity, moment } from "./columns.ts";

/** What was wrong with a part of the product, from when a process has seen it until it was seen to work again. */
export const troubles = pgTable(
  "troubles",
  {
    id: identity(),
    /** The part: src/operate/checks/contract.ts has the names. */
    part: text().notNull(),
    /** The process that it is about: "web-2 (process 4711 on host-a)". Empty: the product as a whole. */
    process: text().notNull(),
    /** "redis away" */
    what: text().notNull(),
    /** What is known about it beside that. */
    detail: text(),
    /** What an operator does about it. */
    cure: text().notNull(),
    since: moment()
      .notNull()
      .default(sql`game_now()`),
    /** When a process has seen it last. One that nobody has seen lately is over: its process has ended. */
    seenAt: moment()
      .notNull()
      .default(sql`game_now()`),
    /** When it was seen to work again. */
    endedAt: moment(),
  },
  (table) => [
    uniqueIndex("troubles_open")
      .on(table.part, table.process)
      .where(sql`ended_at IS NULL`),
    index("troubles_since").on(table.since),
  ],
);
