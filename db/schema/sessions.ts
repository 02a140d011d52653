import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { joinCodeFormat } from "../lists/join-code.ts";
import { onlyDigits, RESERVED_SLUG, slugFormat } from "../lists/session-address.ts";
import { registrationStates, sessionStates } from "../lists/sessions.ts";
import { teamNumbers } from "../lists/teams.ts";
import { blueprints } from "./blueprints.ts";
import {
  cents,
  createdAt,
  identity,
  indexWhere,
  jsonb,
  moment,
  oneOf,
  refersTo,
  rowId,
  uniqueWhere,
  updatedAt,
  within,
} from "./columns.ts";
import { users } from "./users.ts";

export const sessions = pgTable(
  "sessions",
  {
    id: identity(),
    slug: text().notNull().unique(),
    name: text().notNull(),
    description: text().notNull().default(""),
    state: text({ enum: sessionStates }).notNull().default("pending"),
    /** The session that players are redirected to. True for at most one row. */
    active: boolean().notNull().default(false),
    /** The demo's automatic session: its results are set automatically, and a new session follows it. */
    rehearsal: boolean().notNull().default(false),
    blueprintId: rowId().references(() => blueprints.id, { onDelete: "set null" }),
    /** leadSeconds, settlementDelaySeconds, slowModeSeconds, smallRoom, voidUncalled, houseDollar, chatApproval, private, locked, givenNames, teams, brand, leadersAt. */
    settings: jsonb().notNull().default({}),
    startsAt: moment(),
    startedAt: moment(),
    /** How long after the start its plan began, so that players could read the first question. */
    startLeadSeconds: integer().notNull().default(0),
    pausedAt: moment(),
    stoppedAt: moment(),
    /** What a stop has ended and its undo brings back: see src/show/sessions/stop-session.ts. Null before the first stop, and after an undo. */
    beforeStop: jsonb(),
    /** How often its stage link was renewed. The link is signed over it, so renewing ends the one before. */
    stageLinkGeneration: integer().notNull().default(0),
    /** What players type to join. Renewing it ends the one before. */
    joinCode: text()
      .notNull()
      .unique("sessions_join_code_once")
      .default(sql`new_join_code()`),
    /** Increases with every visible change. */
    version: integer().notNull().default(0),
    /** The highest lock token that has written. */
    fence: cents().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueWhere("sessions_one_active", sql`active`, table.active),
    // The order of the list of sessions. It must equal the ORDER BY in src/show/sessions/find-session-views.ts.
    index("sessions_order").on(
      sql`(${table.state} IN ('running', 'paused')) DESC`,
      table.active.desc().nullsFirst(),
      sql`coalesce(${table.startedAt}, ${table.startsAt}, ${table.createdAt}) DESC`,
      table.id.desc().nullsFirst(),
    ),
    index("sessions_state").on(table.state, table.startsAt),
    index("sessions_blueprint").on(table.blueprintId),
    // What has happened lately.
    index("sessions_started").on(table.startedAt),
    index("sessions_stopped").on(table.stoppedAt),
    // Who has a logo, before its file is deleted.
    indexWhere(
      "sessions_logo",
      sql`settings #>> '{brand,logo}' IS NOT NULL`,
      sql`(settings #>> '{brand,logo}')`,
    ),
    check("sessions_state_known", oneOf(table.state, sessionStates)),
    check("sessions_paused", sql`(${table.state} = 'paused') = (${table.pausedAt} IS NOT NULL)`),
    check("sessions_stopped", sql`(${table.state} = 'stopped') = (${table.stoppedAt} IS NOT NULL)`),
    check("sessions_join_code", sql`${table.joinCode} ~ '${sql.raw(joinCodeFormat.source)}'`),
    check("sessions_start_lead", sql`${table.startLeadSeconds} >= 0`),
    check("sessions_active_alive", sql`NOT ${table.active} OR ${table.state} <> 'stopped'`),
    check(
      "sessions_slug",
      sql`${table.slug} ~ '${sql.raw(slugFormat.source)}' AND ${table.slug} !~ '${sql.raw(onlyDigits.source)}' AND ${table.slug} <> '${sql.raw(RESERVED_SLUG)}'`,
    ),
  ],
);

export const registrations = pgTable(
  "registrations",
  {
    id: identity(),
    sessionId: refersTo(() => sessions.id),
    userId: refersTo(() => users.id),
    displayName: text().notNull(),
    state: text({ enum: registrationStates }).notNull().default("joined"),
    /** The number of the player's team in the settings of the session, from 1. Null, or a number without a team: in none. */
    team: integer(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("registrations_once").on(table.sessionId, table.userId),
    // Who has come last.
    index("registrations_came").on(table.sessionId, table.createdAt),
    // A player's sessions, the newest first.
    index("registrations_newest").on(table.userId, table.id),
    indexWhere("registrations_team", sql`team IS NOT NULL`, table.sessionId, table.team),
    check("registrations_team_number", within(table.team, teamNumbers)),
  ],
);

/** Whom a host has removed from a session. Another code than the one of that moment lets the player in again, and deletes the row. */
export const removedPlayers = pgTable(
  "removed_players",
  {
    id: identity(),
    sessionId: refersTo(() => sessions.id, { onDelete: "cascade" }),
    userId: refersTo(() => users.id),
    /** The code when the player was removed. */
    joinCode: text().notNull(),
    /** The team of the player at that moment, with which results stay. */
    team: integer(),
    /** The same for all whom one act has removed, so that one act brings them back. Null: this player alone. */
    wave: uuid(),
    createdAt: createdAt(),
  },
  (table) => [
    check("removed_players_team_number", within(table.team, teamNumbers)),
    unique("removed_players_once").on(table.sessionId, table.userId),
    // The order of the export of a user's data.
    index("removed_players_user").on(table.userId, table.id),
  ],
);

/**
 * The numbers of a session's events and registrations. Triggers of those tables change it (db/sql/triggers), so that no list and
 * no page counts rows. A session without a row has none of either. It is a table of its own because every call of a new player
 * changes it, after the wallets in the order of locks. What shows these numbers and is cached must include this table.
 */
export const sessionCounts = pgTable(
  "session_counts",
  {
    sessionId: rowId()
      .primaryKey()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** Without those that are destroyed. */
    eventsCount: integer().notNull().default(0),
    registrationsCount: integer().notNull().default(0),
  },
  (table) => [
    check("session_counts_positive", sql`${table.eventsCount} >= 0 AND ${table.registrationsCount} >= 0`),
  ],
);
