import { sql } from "drizzle-orm";
import { boolean, check, customType, index, pgTable, text } from "drizzle-orm/pg-core";
import { logKinds } from "../lists/replays.ts";
import { cents, identity, indexWhere, jsonb, momentOfGame, oneOf, rowId } from "./columns.ts";

/** Stored without compression, which took a tenth of the time of a settlement's part: see the migrations. */
const integers = customType<{ data: string }>({ dataType: () => "bigint[]" });

/**
 * What the public could see of each session, and when: the state after each change, written by triggers in the transaction of the
 * change (db/sql/triggers/log-*.sql). Append-only. A replay is read from it (src/replays/).
 *
 * Pools are not in it, because they follow from calls, which are never deleted: a call is in its pool from `placed_at` on, and a
 * destroyed one until `ended_at`. So placing calls writes nothing here. Names are not in it either: it has ids of players only.
 */
export const sessionLog = pgTable(
  "session_log",
  {
    id: identity(),
    /** The entries of one transaction have the same step: they became visible together. */
    step: cents().notNull(),
    /** Null: every session. An exclusion can be from every leaderboard, and a player is a guest everywhere. */
    sessionId: rowId(),
    kind: text({ enum: logKinds }).notNull(),
    /** The session, event or player. For scores: the session. */
    subjectId: rowId().notNull(),
    /** True for the first entry of a session or event that was created with a log. Those before it have no complete history. */
    created: boolean().notNull().default(false),
    /** The state after the change; null if the event was removed from the session, and for scores. */
    detail: jsonb(),
    /**
     * For scores: an array for each player whose score has changed, with player id, played, wins, losses, net cents, wagered
     * cents, current streak and best streak. Played 0: the player has no score.
     */
    scores: integers(),
    at: momentOfGame(),
  },
  (table) => [
    index("session_log_session").on(table.sessionId, table.step),
    // A transaction looks up its own step.
    index("session_log_step").on(table.step),
    // A replay looks up its players among the entries of all sessions: one for each guest who has made an account.
    indexWhere("session_log_everywhere", sql`session_id IS NULL`, table.kind, table.subjectId),
    check("session_log_kind_known", oneOf(table.kind, logKinds)),
    check("session_log_scores", sql`(${table.kind} = 'scores') = (${table.scores} IS NOT NULL)`),
  ],
);
