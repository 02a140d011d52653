import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { autoResults, startModes } from "../lists/events.ts";
import { durationSeconds } from "../lists/limits.ts";
import {
  cents,
  createdAt,
  hasText,
  identity,
  indexWhere,
  jsonb,
  moreColumns,
  oneOf,
  refersTo,
  updatedAt,
  within,
} from "./columns.ts";

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
    title: text().notNull(),
    description: text().notNull().default(""),
    trueLabel: text().notNull().default("True"),
    falseLabel: text().notNull().default("False"),
    startMode: text({ enum: startModes }).notNull().default("after_previous"),
    /** After the session's start (offset), or after the close (after_previous) or the result (after_result) of the event before it. */
    offsetSeconds: integer().notNull().default(0),
    durationSeconds: integer().notNull().default(30),
    resolveWithinSeconds: integer().notNull().default(60),
    minWagerCents: cents().notNull().default(1),
    maxWagerCents: cents(),
    autoResult: text({ enum: autoResults }),
    ...moreColumns(),
    /** A trigger increases it with every change except that of the position. */
    version: integer().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("blueprint_events_blueprint").on(table.blueprintId),
    // As events_picture.
    index("blueprint_events_picture")
      .on(sql`(picture ->> 'key')`)
      .where(sql`picture IS NOT NULL`),
    check("blueprint_events_duration", within(table.durationSeconds, durationSeconds)),
    check("blueprint_events_offset", sql`${table.offsetSeconds} >= 0`),
    check("blueprint_events_resolve_within", sql`${table.resolveWithinSeconds} >= 0`),
    check("blueprint_events_start_mode", oneOf(table.startMode, startModes)),
    check("blueprint_events_auto_result", oneOf(table.autoResult, autoResults)),
    check("blueprint_events_picture_text", hasText(table.picture)),
    check(
      "blueprint_events_wagers",
      sql`${table.minWagerCents} > 0 AND ${table.maxWagerCents} >= ${table.minWagerCents}`,
    ),
  ],
);
