import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity, indexWhere, jsonb, refersTo, updatedAt } from "./columns.ts";
import { questionChecks, questionColumns } from "./question.ts";

export const blueprints = pgTable(
  "blueprints",
  {
    id: identity(),
    name: text().notNull(),
    description: text().notNull().default(""),
    /** The settings that a generated session starts with. Example: leadSeconds, settlementDelaySeconds. */
    defaults: jsonb().notNull().default({}),
    /** A trigger increases it when the name, the description or the defaults change. The events have their own version. */
    version: integer().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [
    // As sessions_logo.
    indexWhere(
      "blueprints_logo",
      sql`defaults #>> '{brand,logo}' IS NOT NULL`,
      sql`(defaults #>> '{brand,logo}')`,
    ),
  ],
);

export const blueprintEvents = pgTable(
  "blueprint_events",
  {
    id: identity(),
    blueprintId: refersTo(() => blueprints.id, { onDelete: "cascade" }),
    /** 1 to n without gaps within the blueprint. The unique constraint is deferrable, so it is written in 0000_baseline.sql. */
    position: integer().notNull(),
    ...questionColumns(),
    /** A trigger increases it with every change except that of the position. */
    version: integer().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("blueprint_events_blueprint").on(table.blueprintId),
    ...questionChecks("blueprint_events", table),
    check("blueprint_events_offset", sql`${table.offsetSeconds} >= 0`),
    check("blueprint_events_resolve_within", sql`${table.resolveWithinSeconds} >= 0`),
  ],
);
