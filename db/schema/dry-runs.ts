import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { dryRunFailures, dryRunStates, unfinishedDryRunStates } from "../lists/dry-runs.ts";
import { blueprints } from "./blueprints.ts";
import { createdAt, identity, jsonb, moment, oneOf, refersTo } from "./columns.ts";
import { users } from "./users.ts";

/** A blueprint played by simulated players. Nothing of the game refers to it, and it is deleted after some days. */
export const dryRuns = pgTable(
  "dry_runs",
  {
    id: identity(),
    blueprintId: refersTo(() => blueprints.id, { onDelete: "cascade" }),
    actorId: refersTo(() => users.id),
    /** What is played: a copy of the blueprint and its events. */
    plan: jsonb().notNull(),
    /** The seed, and how the players behave. */
    options: jsonb().notNull(),
    state: text({ enum: dryRunStates }).notNull().default("waiting"),
    failure: text({ enum: dryRunFailures }),
    eventsDone: integer().notNull().default(0),
    callsCount: integer().notNull().default(0),
    /** Increases each time a worker takes it. Only the newest attempt may write. */
    attempt: integer().notNull().default(0),
    /** The last sign of life of the worker that plays it. */
    movedAt: moment(),
    createdAt: createdAt(),
    endedAt: moment(),
    /** The JSON of the result, as text: the same run is the same bytes. */
    report: text(),
  },
  (table) => [
    uniqueIndex("dry_runs_one_per_admin").on(table.actorId).where(oneOf(table.state, unfinishedDryRunStates)),
    index("dry_runs_blueprint").on(table.blueprintId, table.id),
    index("dry_runs_created").on(table.createdAt),
    check("dry_runs_state_known", oneOf(table.state, dryRunStates)),
    check("dry_runs_failure_known", oneOf(table.failure, dryRunFailures)),
    check("dry_runs_failed", sql`(${table.failure} IS NOT NULL) = (${table.state} = 'failed')`),
    check("dry_runs_reported", sql`(${table.report} IS NOT NULL) = (${table.state} = 'done')`),
    check(
      "dry_runs_ended",
      sql`(${table.endedAt} IS NULL) = (${oneOf(table.state, unfinishedDryRunStates)})`,
    ),
  ],
);
