import { type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { isUnpaid } from "#db/ledger/list-settlements.ts";
import { leftJoinWallet, walletColumns } from "#db/ledger/read-wallet.ts";
import { playersOf } from "#db/players-of.ts";
import { prepareStatement } from "#db/prepare-statement.ts";
import { oneOf } from "#db/schema/columns.ts";
import { signIns, users } from "#db/schema/users.ts";
import { serverStart } from "#db/server-start.ts";
import { isSignedIn } from "#db/sign-in-conditions.ts";
import { NOTIFICATIONS_LOADED } from "#src/people/notifications/contract.ts";
import { signInColumns, viewerColumns } from "#src/people/sign-ins/find-sign-in.ts";
import { hasPrivate, isAccessDenied, isRemoved } from "#src/play/access-denied.ts";
import { versionOfLeaders } from "#src/play/leaderboard/find-scores.ts";
import { leaderboardVersion } from "#src/play/leaderboard/ranking-cache.ts";
import { sumsColumns } from "#src/play/leaderboard/score-conditions.ts";
import { publishedStates } from "#src/show/events/contract.ts";
import type { PageReadRow } from "./page-read-row.ts";

/** The parameters: one element per request in the first three arrays, one per session in the others. */
type Values = {
  /** uuid[]: sign-ins; null: signed out. */
  signInIds: string;
  /** bigint[]: the sessions of the pages; null: none. */
  sessionIds: string;
  /** bigint[]: each session of `sessionIds` once. */
  knownIds: string;
  /** bigint[]: the event that was the last one of their leaderboards; null: none. */
  lastEventIds: string;
  /** text[]: the ids of their leaders, each a bigint[]. */
  leaders: string;
};

/**
 * An array that the planner does not look into. So the plan for these values is as good as the one for all values, and Postgres
 * keeps that one: planning takes longer than running.
 */
function array(name: keyof Values, type: string): SQL {
  return sql`(SELECT ${sql.placeholder(name)}::${sql.raw(type)}[])`;
}

const isPublished = oneOf(sql`e.state`, publishedStates);
/** The columns that players read, in the names of the program. */
const sessionRow = sql`json_build_object('id', s.id, 'slug', s.slug, 'name', s.name, 'description', s.description,
  'state', s.state, 'active', s.active, 'rehearsal', s.rehearsal, 'blueprintId', s.blueprint_id, 'settings', s.settings,
  'startsAt', s.starts_at, 'startedAt', s.started_at, 'startLeadSeconds', s.start_lead_seconds,
  'pausedAt', s.paused_at, 'stoppedAt', s.stopped_at, 'version', s.version)`;

/**
 * A published event and its spots in one text. A row's xmin is the transaction that wrote it, so it changes with every change,
 * and a text of ids and xmins is never the same for two states. Only the pools of an event without a result change often: its
 * spots are left out, because their values come with the answer.
 */
const versionOfEvent = sql`concat(e.id, ':', e.xmin, CASE WHEN ${isUnpaid(sql`e.id`)} THEN '!' END,
  CASE WHEN e.result IS NOT NULL THEN
    (SELECT string_agg(concat(p.id, ':', p.xmin), '/' ORDER BY p.id) FROM spots p WHERE p.event_id = e.id) END)`;

/** What decides how the event after each of these starts. Players do not see drafts, so their versions do not count. */
const versionOfDrafts = sql`(SELECT string_agg(concat(d.id, ':', d.position, d.start_mode), ' ' ORDER BY d.id) FROM events d
  WHERE d.session_id = k.id AND d.state = 'draft')`;

const seenSessions = sql`
  SELECT k.id, k."lastEventId", e.ids, e.rounds, json_build_object(
    'id', s.id, 'slug', s.slug, 'state', s.state,
    'settings', json_build_object('private', ${hasPrivate(sql`s.settings`)}),
    'rowVersion', s.row_version, 'row', ${sessionRow}::text,
    'eventsCount', coalesce(q.events_count, 0), 'registrationsCount', coalesce(q.registrations_count, 0),
    'eventsVersion', e.version,
    'liveSpots', coalesce((
      SELECT json_agg(json_build_array(p.event_id, p.id, p.state, p.calls_count, p.pool_cents, p.won, p.opened_at, p.closed_at,
        p.resolved_at) ORDER BY p.id)::text FROM spots p WHERE p.event_id = ANY (e.live_ids)), '[]'),
    'leaderboardVersion', ${leaderboardVersion(sql`k.id`)},
    'leadersVersion', ${versionOfLeaders(sql`k.leaders::bigint[]`, sql`k.id`)}) AS seen
  FROM unnest(${array("knownIds", "bigint")}, ${array("lastEventIds", "bigint")}, ${array("leaders", "text")})
      AS k(id, "lastEventId", leaders)
    CROSS JOIN LATERAL (SELECT s.*, concat(s.xmin, ' ', ${serverStart}) AS row_version FROM sessions s WHERE s.id = k.id LIMIT 1) s
    LEFT JOIN LATERAL (SELECT * FROM session_counts q WHERE q.session_id = k.id LIMIT 1) q ON TRUE
    CROSS JOIN LATERAL (
      SELECT array_agg(e.id) AS ids, array_agg(e.round) AS rounds,
        array_agg(e.id) FILTER (WHERE e.result IS NULL) AS live_ids,
        coalesce(md5(concat(${serverStart}, string_agg(${versionOfEvent}, ' ' ORDER BY e.id), ${versionOfDrafts})), '') AS version
      FROM events e WHERE e.session_id = k.id AND ${isPublished}
    ) e`;

const newestNotifications = sql`
  SELECT json_agg(json_build_array(n.id, n.kind, n.title, n.body, n.url, n.read_at, n.created_at)) AS newest FROM (
    SELECT * FROM notifications n WHERE n.user_id = ${users.id} ORDER BY n.id DESC LIMIT ${sql.raw(String(NOTIFICATIONS_LOADED))}
  ) AS n`;

const ownCalls = sql`
  SELECT json_agg(json_build_array(c.id, c.event_id, c.spot_id, c.state, c.wager_cents, c.payout_cents, c.outcome, c.placed_at)
    ORDER BY c.id) AS calls
  FROM (SELECT ARRAY(SELECT id FROM ${playersOf(users.id)} AS player) AS ids OFFSET 0) AS players
    CROSS JOIN unnest(seen.ids, seen.rounds) AS e(id, round) CROSS JOIN LATERAL (
    SELECT * FROM calls c WHERE c.event_id = e.id AND c.user_id = ANY (players.ids) AND c.round = e.round
      AND c.state <> 'soft_destroyed' OFFSET 0
  ) AS c`;

const ownExclusion = sql`
  SELECT json_build_object('sessionId', x.session_id, 'reason', x.reason) FROM exclusions x
  WHERE x.user_id = ${users.id} AND (x.session_id IS NULL OR x.session_id = a.session_id)
  ORDER BY x.session_id NULLS FIRST LIMIT 1`;

/** The sums of all sessions, for the wallet; 0 before the first result. */
const totals = sql`coalesce(t.wagered_cents, 0)::float8 AS "totalWageredCents",
  coalesce(t.returned_cents, 0)::float8 AS "totalReturnedCents", coalesce(t.calls_count, 0) AS "totalCalls",
  coalesce(t.wins, 0) AS "totalWins", coalesce(t.losses, 0) AS "totalLosses", coalesce(t.refunded, 0) AS "totalRefunded",
  coalesce(t.current_streak, 0) AS "totalStreak", coalesce(t.best_streak, 0) AS "totalBestStreak"`;

/**
 * One row by its key. `LIMIT` keeps the planner from joining whole tables, which it prefers while it has no statistics: after a
 * restore, and in the first minute of a database.
 */
const signInOf = (id: SQL) =>
  sql`LATERAL (SELECT * FROM sign_ins i WHERE i.id = ${id} LIMIT 1) AS ${signIns}`;
const userOf = (id: SQLWrapper) =>
  sql`LATERAL (SELECT * FROM users u WHERE u.id = ${id} LIMIT 1) AS ${users}`;

const isRegistered = sql`EXISTS (SELECT 1 FROM registrations g WHERE g.session_id = a.session_id AND g.user_id = ${users.id})`;

const isRemovedFromIt = isRemoved(sql`a.session_id`, users.id);

const isShutOutOfActive = sql`EXISTS (SELECT 1 FROM sessions s
  WHERE s.active AND ${isAccessDenied({ id: sql`s.id`, settings: sql`s.settings` }, users.id)})`;

/** What a statement reads besides the frame of a page. What it leaves out, its pages do not wait for. */
type Parts = { registered: SQL; removed: SQL; calls: SQL; exclusion: SQL; withScore: SQL };
const frame: Parts = {
  registered: sql`FALSE`,
  removed: sql`FALSE`,
  calls: sql`SELECT NULL::json AS calls`,
  exclusion: sql`SELECT NULL::json`,
  withScore: sql`FALSE`,
};
const session: Parts = { ...frame, registered: isRegistered, removed: isRemovedFromIt };
const game: Parts = {
  registered: isRegistered,
  removed: isRemovedFromIt,
  calls: ownCalls,
  exclusion: ownExclusion,
  withScore: sql`TRUE`,
};

const statementFor = (parts: Parts) =>
  prepareStatement<PageReadRow, Values>(sql`
  WITH a AS MATERIALIZED (
    SELECT * FROM unnest(${array("signInIds", "uuid")}, ${array("sessionIds", "bigint")})
      WITH ORDINALITY AS a(sign_in_id, session_id, number)
  ),
  seen AS MATERIALIZED (${seenSessions})
  SELECT ${signInColumns}, ${viewerColumns}, ${walletColumns}, ${totals}, ${sumsColumns},
    counted.total AS "notificationsCount", counted.unread AS "unreadCount", newest.newest,
    ${parts.registered} AS registered, ${parts.removed} AS removed, ${isShutOutOfActive} AS "shutOutOfActive", own.calls, (${parts.exclusion}) AS exclusion,
    CASE WHEN a.number = 1 THEN (SELECT json_agg(seen.seen) FROM seen) END AS sessions,
    CASE WHEN a.number = 1 THEN
      (SELECT json_build_object('id', s.id, 'slug', s.slug, 'name', s.name) FROM sessions s WHERE s.active) END AS active,
    CASE WHEN a.number = 1 THEN (SELECT json_agg(o.name) FROM switched_off o) END AS off
  FROM a
    LEFT JOIN (${signInOf(sql`a.sign_in_id`)} CROSS JOIN ${userOf(signIns.userId)}) ON ${isSignedIn}
    ${leftJoinWallet(users.id)}
    LEFT JOIN LATERAL (SELECT * FROM scores t WHERE t.user_id = ${users.id} AND t.session_id IS NULL LIMIT 1) AS t ON TRUE
    LEFT JOIN seen ON seen.id = a.session_id
    LEFT JOIN LATERAL (
      SELECT * FROM scores s WHERE s.user_id = ${users.id} AND s.session_id = a.session_id LIMIT 1
    ) AS s ON ${parts.withScore}
    LEFT JOIN LATERAL (
      SELECT r.net_cents FROM results r WHERE r.event_id = seen."lastEventId" AND r.user_id = s.user_id LIMIT 1
    ) AS r ON ${parts.withScore}
    LEFT JOIN LATERAL (${newestNotifications}) AS newest ON ${users.id} IS NOT NULL
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS total, count(*) FILTER (WHERE n.read_at IS NULL)::int AS unread
      FROM notifications n WHERE n.user_id = ${users.id}
    ) AS counted ON ${users.id} IS NOT NULL
    LEFT JOIN LATERAL (${parts.calls}) AS own ON TRUE
  ORDER BY a.number`);

/**
 * Answers several page requests with one statement: for each its sign-in and all that belongs to the viewer, in the same order,
 * and in the first row the sessions of their pages. The statement sees one state of the database.
 */
export const askPageReads = {
  frame: statementFor(frame),
  session: statementFor(session),
  game: statementFor(game),
};
