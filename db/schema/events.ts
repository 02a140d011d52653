import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import {
  eventStates,
  liveEventStates,
  resultEventStates,
  results,
  timedTransitions,
} from "../lists/events.ts";
import { sides, spotStates } from "../lists/spots.ts";
import { blueprintEvents } from "./blueprints.ts";
import {
  cents,
  createdAt,
  identity,
  indexWhere,
  moment,
  oneOf,
  refersTo,
  rowId,
  updatedAt,
} from "./columns.ts";
import { questionChecks, questionColumns } from "./question.ts";
import { sessions } from "./sessions.ts";

export const events = pgTable(
  "events",
  {
    id: identity(),
    sessionId: rowId().references(() => sessions.id),
    blueprintEventId: rowId().references(() => blueprintEvents.id, { onDelete: "set null" }),
    position: integer().notNull().default(1),
    ...questionColumns(),
    state: text({ enum: eventStates }).notNull().default("draft"),
    /** Increases with every reset. A call or settlement belongs to one round. */
    round: integer().notNull().default(1),
    result: text({ enum: results }),
    resultReason: text(),
    /**
     * With a settlement delay: the result that the event gets at dueAt, and its reason. Until then the event stays closed and
     * nothing is settled, so withdrawing the result reverses nothing.
     */
    pendingResult: text({ enum: results }),
    pendingReason: text(),
    /** When the result, pending or not, was decided. A correction keeps it. Null without a result. */
    decidedAt: moment(),
    /** Who decided the result or corrected it last; null for a timer. */
    decidedById: rowId(),
    /** Calls placed at or after this time are refunded by the result; null: none. Its settlement has the same. */
    effectiveAt: moment(),
    /** How long before the opening it is published. */
    leadSeconds: integer().notNull().default(10),

    publishedAt: moment(),
    opensAt: moment(),
    openedAt: moment(),
    closesAt: moment(),
    closedAt: moment(),
    resolveBy: moment(),
    resolvedAt: moment(),

    /**
     * The schedule: the next timed transition, and its time. The row decides; a job is only an alarm for it. A transition without
     * any time waits until the event before it has its close or its result (see src/show/events/schedule.ts).
     */
    nextTransition: text({ enum: timedTransitions }),
    dueAt: moment(),
    /** The time that was left until dueAt when the session was paused. */
    remainingMs: integer(),
    /** Increases when nextTransition or dueAt change, so that an older alarm does nothing. */
    scheduleVersion: integer().notNull().default(0),

    /** Increases with every visible change. */
    version: integer().notNull().default(0),
    /** The highest lock token that has written. */
    fence: cents().notNull().default(0),
    createdById: rowId(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("events_in_order").on(table.sessionId, table.position, table.id),
    // Deleting a blueprint's event updates its copies.
    index("events_blueprint_event").on(table.blueprintEventId),
    indexWhere("events_due", sql`due_at IS NOT NULL`, table.dueAt),
    // The list of all events counts those in the states that it shows.
    index("events_state").on(table.state, table.id),
    // The sessions of a season are found by what was decided in it.
    indexWhere("events_resolved", sql`resolved_at IS NOT NULL`, table.resolvedAt, table.sessionId),
    // Only few events take calls or wait for their result.
    index("events_live")
      .on(table.id)
      .where(oneOf(sql`state`, liveEventStates)),
    check("events_state_known", oneOf(table.state, eventStates)),
    check("events_result_known", oneOf(table.result, results)),
    check("events_round", sql`${table.round} > 0`),
    check("events_resolved_has_result", sql`${table.result} IS NOT NULL OR ${table.state} <> 'resolved'`),
    check(
      "events_result_is_resolved",
      sql`${table.result} IS NULL OR ${oneOf(table.state, resultEventStates)}`,
    ),
    check("events_pending_known", oneOf(table.pendingResult, results)),
    check(
      "events_pending_is_due",
      sql`${table.pendingResult} IS NULL OR (${table.state} = 'closed' AND ${table.nextTransition} = 'resolve')`,
    ),
    check(
      "events_pending_has_result",
      sql`${table.pendingResult} IS NOT NULL OR ${table.pendingReason} IS NULL`,
    ),
    check(
      "events_decided_has_result",
      sql`coalesce(${table.pendingResult}, ${table.result}) IS NOT NULL OR num_nonnulls(${table.decidedAt}, ${table.decidedById}, ${table.effectiveAt}) = 0`,
    ),
    check("events_open_has_close", sql`${table.state} <> 'open' OR ${table.closesAt} IS NOT NULL`),
    check("events_open_before_close", sql`${table.opensAt} < ${table.closesAt}`),
    check("events_due_has_transition", sql`${table.dueAt} IS NULL OR ${table.nextTransition} IS NOT NULL`),
    check("events_transition_known", oneOf(table.nextTransition, timedTransitions)),
    ...questionChecks("events", table),
  ],
);

export const spots = pgTable(
  "spots",
  {
    id: identity(),
    eventId: refersTo(() => events.id),
    side: text({ enum: sides }).notNull(),
    state: text({ enum: spotStates }).notNull().default("closed"),
    /** Null until the event is resolved, and after a void. */
    won: boolean(),
    /**
     * The number of calls of the event's round that are not destroyed. The pool is read far more often than it changes, so a
     * trigger on calls updates both counters, under the event's gate and after the wallets in the order of locks.
     */
    callsCount: integer().notNull().default(0),
    /** The sum of their wagers. */
    poolCents: cents().notNull().default(0),
    openedAt: moment(),
    closedAt: moment(),
    resolvedAt: moment(),
  },
  (table) => [
    unique("spots_event_side").on(table.eventId, table.side),
    unique("spots_id_event").on(table.id, table.eventId),
    check("spots_side", oneOf(table.side, sides)),
    check("spots_state_known", oneOf(table.state, spotStates)),
    check("spots_pool", sql`${table.poolCents} >= 0 AND ${table.callsCount} >= 0`),
  ],
);

/**
 * What an event has asked before its texts were changed, written by a trigger. A call keeps the question and the labels that it was
 * placed on: those of the first row here whose last call is not before it, else those of the event.
 */
export const earlierTexts = pgTable(
  "earlier_texts",
  {
    eventId: refersTo(() => events.id, { onDelete: "cascade" }),
    /** The newest call of the event when its texts were changed. Ids of an event's calls are in the order of their placing. */
    lastCallId: rowId().notNull(),
    title: text().notNull(),
    trueLabel: text().notNull(),
    falseLabel: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.lastCallId] })],
);
