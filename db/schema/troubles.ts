import { sql } from "drizzle-orm";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { identity, moment, momentOfGame, uniqueWhere } from "./columns.ts";

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
    cure: text().notNull(),
    since: momentOfGame(),
    /** When a process has seen it last. One that nobody has seen lately is over: its process has ended. */
    seenAt: momentOfGame(),
    /** When it was seen to work again. */
    endedAt: moment(),
    /** When operators were told of it, until they are told that it is over. */
    toldAt: moment(),
  },
  (table) => [
    uniqueWhere("troubles_open", sql`ended_at IS NULL`, table.part, table.process),
    index("troubles_since").on(table.since),
    index("troubles_told")
      .on(table.part)
      .where(sql`told_at IS NOT NULL`),
  ],
);
