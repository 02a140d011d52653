import { sql, type SQLWrapper } from "drizzle-orm";
import { check, integer, text } from "drizzle-orm/pg-core";
import { autoResults, startModes } from "../lists/events.ts";
import { durationSeconds } from "../lists/limits.ts";
import { cents, indexWhere, jsonb, oneOf, within } from "./columns.ts";

/** What a blueprint says of a question, and an event takes from it. */
export const questionColumns = () => ({
  title: text().notNull(),
  description: text().notNull().default(""),
  trueLabel: text().notNull().default("True"),
  falseLabel: text().notNull().default("False"),
  minWagerCents: cents().notNull().default(1),
  /** The limit per player; null for none. */
  maxWagerCents: cents(),
  startMode: text({ enum: startModes }).notNull().default("after_previous"),
  /** After the session's start (offset), or after the close (after_previous) or the result (after_result) of the event before it. */
  offsetSeconds: integer().notNull().default(0),
  durationSeconds: integer().notNull().default(30),
  resolveWithinSeconds: integer().notNull().default(60),
  autoResult: text({ enum: autoResults }),
  /** `{key, width, height, alt}`; null without one. */
  picture: jsonb(),
  /** Unreadable for players until the result is decided. */
  explanation: text().notNull().default(""),
  /** Never for players. */
  hostNote: text().notNull().default(""),
});

type Checked = "durationSeconds" | "startMode" | "autoResult" | "picture" | "minWagerCents" | "maxWagerCents";

export const questionChecks = (
  table: "events" | "blueprint_events",
  question: Record<Checked, SQLWrapper>,
) => [
  // A picture that nothing has is discarded.
  indexWhere(`${table}_picture`, sql`picture IS NOT NULL`, sql`(picture ->> 'key')`),
  check(`${table}_duration`, within(question.durationSeconds, durationSeconds)),
  check(`${table}_start_mode`, oneOf(question.startMode, startModes)),
  check(`${table}_auto_result`, oneOf(question.autoResult, autoResults)),
  check(
    `${table}_picture_text`,
    sql`${question.picture} IS NULL OR coalesce(${question.picture} ->> 'alt', '') <> ''`,
  ),
  check(
    `${table}_wagers`,
    sql`${question.minWagerCents} > 0 AND ${question.maxWagerCents} >= ${question.minWagerCents}`,
  ),
];
