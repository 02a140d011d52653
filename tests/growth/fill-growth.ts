import { sql, type SQL } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { momentOf, type Shape, type Size } from "./fill-size.ts";

/** The product deletes the older ones. */
const NOTIFICATIONS_MAX = 200;
/** The ids of all filled rows begin here, so that they follow from the row's number. Later rows get higher ids. */
const FIRST_ID = 1_000_000;
/** The largest ones. Building their indexes afterwards takes a fraction of the time. */
const LARGE = ["calls", "journal", "entries", "settlement_lines", "results", "scores", "registrations"];
const TABLES = [
  "users",
  "accounts",
  "sessions",
  "session_counts",
  "registrations",
  "events",
  "spots",
  "calls",
  "totals",
  "journal",
  "entries",
  "settlements",
  "settlement_lines",
  "results",
  "scores",
  "leaderboard_changes",
  "notifications",
  "sign_ins",
];

/** What was filled. */
export type Filled = Size & {
  /** One of the other players. */
  playerId: number;
  /** A past session, and one of its events. */
  sessionId: number;
  eventId: number;
};

/**
 * Fills a migrated database with a past of this shape: stopped sessions with resolved and paid events, players who are registered
 * and have calls, their entries, results, scores, notifications and sign-ins. The books agree. Call it once per database.
 *
 * Decision: the server generates the rows itself, by INSERT from generate_series. That is as fast as a COPY without sending the rows:
 * 1.8 million entries took 3.9 and 4.4 s by INSERT from a table, and 3.3 and 5.4 s by COPY from a file of the server. Writing the rows is
 * what takes the time, and the balances follow from each other in SQL, which a file would need a second program for.
 */
export async function fillGrowth({ pool }: Pick<Deps, "pool">, shape: Shape): Promise<Filled> {
  const size = { ...shape, events: shape.sessions * shape.eventsPerSession, firstId: FIRST_ID };
  await inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`SET LOCAL statement_timeout = 0`);
    await fillUsers(tx, size);
    await withoutTriggers(tx, () =>
      withoutIndexes(tx, LARGE, async () => {
        await fillSessions(tx, size);
        await fillLedger(tx, size);
        await fillScores(tx, size);
        await fillRegistrations(tx, size);
      }),
    );
    await continueIds(tx);
  });
  await tidy(pool.sql);
  return { ...size, playerId: FIRST_ID + 1, sessionId: FIRST_ID, eventId: FIRST_ID };
}

/** Users with a wallet, a notification and a sign-in. The last two are the heavy players, with as many notifications as are kept. */
async function fillUsers(tx: Transaction, { users, events, firstId }: Size): Promise<void> {
  await tx.execute(sql`INSERT INTO users (id, username, email, confirmed_at) OVERRIDING SYSTEM VALUE
    SELECT ${firstId}::bigint + n, 'filled_' || n, 'filled_' || n || '@example.test', game_now()
    FROM generate_series(0, ${users + 1}::int) n`);
  await tx.execute(sql`INSERT INTO accounts (id, kind, user_id) OVERRIDING SYSTEM VALUE
    SELECT ${firstId}::bigint + 2 * n + k, (ARRAY['wallet', 'receivable'])[k + 1], ${firstId}::bigint + n
    FROM generate_series(0, ${users + 1}::int) n CROSS JOIN generate_series(0, 1) k`);
  await tx.execute(sql`INSERT INTO notifications (user_id, kind, title, body, read_at, created_at)
    SELECT ${firstId}::bigint + n, 'result', 'You called it', 'Filled', game_now(), game_now() - interval '10 days'
    FROM generate_series(0, ${users + 1}::int) n
      CROSS JOIN generate_series(1, CASE WHEN n < ${users}::int THEN 1 ELSE ${Math.min(events, NOTIFICATIONS_MAX)}::int END)`);
  await tx.execute(sql`INSERT INTO sign_ins (user_id, csrf_secret, expires_at)
    SELECT ${firstId}::bigint + n, 'filled', game_now() + interval '1 day'
    FROM generate_series(0, ${users + 1}::int) n`);
}

/** Stopped sessions, and their events, each ten minutes after the one before. True has won everywhere. */
async function fillSessions(tx: Transaction, size: Size): Promise<void> {
  const { sessions, eventsPerSession, events, firstId } = size;
  const perSpot = size.callsPerEvent / 2 + 1;
  await tx.execute(sql`INSERT INTO sessions (id, slug, name, state, starts_at, started_at, stopped_at, created_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${firstId}::bigint + n, 'filled-' || n || '-a', 'Filled ' || n, 'stopped', started, started,
      started + ${eventsPerSession}::int * interval '10 minutes', started - interval '1 day'
    FROM generate_series(0, ${sessions - 1}::int) n
      CROSS JOIN LATERAL (SELECT ${momentOf(sql`n * ${eventsPerSession}::int`, events)} AS started) t`);
  await tx.execute(sql`INSERT INTO events (id, session_id, position, title, state, result, decided_at, published_at, opens_at,
      opened_at, closes_at, closed_at, resolve_by, resolved_at, created_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${firstId}::bigint + n, ${firstId}::bigint + n / ${eventsPerSession}::int, n % ${eventsPerSession}::int + 1,
      'Will filled event ' || n || ' happen?', 'resolved', 'true', at + interval '2 minutes', at, at,
      at, at + interval '1 minute', at + interval '1 minute', at + interval '3 minutes', at + interval '2 minutes', at
    FROM generate_series(0, ${events - 1}::int) n CROSS JOIN LATERAL (SELECT ${momentOf(sql`n`, events)} AS at) t`);
  await tx.execute(sql`INSERT INTO session_counts (session_id, events_count)
    SELECT session_id, count(*) FROM events WHERE id >= ${firstId} GROUP BY 1`);
  await tx.execute(sql`INSERT INTO spots (id, event_id, side, state, won, calls_count, pool_cents, opened_at, closed_at,
      resolved_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${firstId}::bigint + 2 * n + k, ${firstId}::bigint + n, (ARRAY['true', 'false'])[k + 1], 'closed', k = 0,
      ${perSpot}::int, ${perSpot}::int * 100, at, at + interval '1 minute',
      at + interval '2 minutes'
    FROM generate_series(0, ${events - 1}::int) n CROSS JOIN generate_series(0, 1) k
      CROSS JOIN LATERAL (SELECT ${momentOf(sql`n`, events)} AS at) t`);
}

/** Registers each player for the sessions of the player's calls. */
async function fillRegistrations(tx: Transaction, { firstId }: Size): Promise<void> {
  await tx.execute(sql`INSERT INTO registrations (session_id, user_id, display_name)
    SELECT DISTINCT session_id, user_id, 'filled_' || (user_id - ${firstId}::bigint)
    FROM results WHERE event_id >= ${firstId} ORDER BY 1, 2`);
  await tx.execute(sql`UPDATE session_counts k SET registrations_count = r.n
    FROM (SELECT session_id, count(*) AS n FROM registrations WHERE session_id >= ${firstId} GROUP BY 1) r
    WHERE k.session_id = r.session_id`);
}

/** Past rows are written as they were left by the verbs. Their triggers only let rows begin. */
async function withoutTriggers(tx: Transaction, fill: () => Promise<void>): Promise<void> {
  await tx.execute(sql`SET LOCAL session_replication_role = replica`);
  await fill();
  await tx.execute(sql`SET LOCAL session_replication_role = origin`);
}

/** Ids of new rows continue after the filled ones. */
async function continueIds(tx: Transaction): Promise<void> {
  for (const table of [
    "users",
    "accounts",
    "sessions",
    "events",
    "spots",
    "calls",
    "journal",
    "settlements",
  ]) {
    await tx.execute(
      sql`SELECT setval(pg_get_serial_sequence(${table}::text, 'id'), (SELECT max(id) FROM ${sql.identifier(table)}))`,
    );
  }
}

/** What autovacuum would do soon, done at once, so that it does not run during a measurement. */
async function tidy(client: Deps["pool"]["sql"]): Promise<void> {
  const connection = await client.reserve();
  try {
    await connection.unsafe("SET statement_timeout = 0");
    await connection.unsafe(`VACUUM (ANALYZE) ${TABLES.join(", ")}`);
    await connection.unsafe("RESET statement_timeout");
    await connection.unsafe("CHECKPOINT");
  } finally {
    await connection.release();
  }
}

const indexRow = v.object({ name: v.string(), definition: v.string() });

/**
 * Fills tables without their indexes, and builds these again afterwards from what was written: much faster for millions of rows.
 * Indexes of constraints stay.
 */
async function withoutIndexes(
  tx: Transaction,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const indexes = v.parse(v.array(indexRow), [
    ...(await tx.execute(sql`SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relname IN ${tables}
        AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`)),
  ]);
  for (const { name } of indexes) await tx.execute(sql`DROP INDEX ${sql.raw(name)}`);
  await fill();
  await tx.execute(sql`SET LOCAL maintenance_work_mem = '512MB'`);
  for (const { definition } of indexes) await tx.execute(sql.raw(definition));
}

const WAGER_CENTS = 100;
/** As grant_max allows: at the start, and once a day. */
const WELCOME_CENTS = 10_000;
const TOP_UP_CENTS = 1_000;

/*
 * Numbers count from 0. Call `c` of event `n` is call number n * (callsPerEvent + 2) + c. The first callsPerEvent calls are those
 * of users in turn; the last two those of the heavy players. Of two neighbours one wins and one loses, so winners get exactly
 * what losers lose. A user's own calls are won and lost in turn.
 *
 * All grants of a user come before the calls; grant `g` of user `n` is grant number n * grants + g. The heavy players follow, with
 * as many as there are events.
 */

/** The calls of the filled events, their settlements, and the entries of the grants and the payouts. */
async function fillLedger(tx: Transaction, size: Size): Promise<void> {
  await fillCalls(tx, size);
  await fillJournal(tx, size);
  await fillSettlements(tx, size);
  await fillGrants(tx, size);
  await fillPayouts(tx, size);
  await fillBalances(tx, size);
}

/** All calls: their number, event, user number, how many calls of this user are before, and whether they are won. */
function callsOf({ users, events, callsPerEvent }: Size): SQL {
  return sql`(
    SELECT n * ${callsPerEvent + 2}::int + c AS number, n, n * ${callsPerEvent}::int % ${users}::int + c AS player,
      n * ${callsPerEvent}::int / ${users}::int AS before, (c + n * ${callsPerEvent}::int / ${users}::int) % 2 = 0 AS won
    FROM generate_series(0, ${events - 1}::int) n CROSS JOIN generate_series(0, ${callsPerEvent - 1}::int) c
    UNION ALL
    SELECT n * ${callsPerEvent + 2}::int + ${callsPerEvent}::int + c, n, ${users}::int + c, n, (c + n) % 2 = 0
    FROM generate_series(0, ${events - 1}::int) n CROSS JOIN generate_series(0, 1) c
  )`;
}

async function fillCalls(tx: Transaction, size: Size): Promise<void> {
  const { events, firstId } = size;
  await tx.execute(sql`INSERT INTO calls (id, user_id, account_id, event_id, spot_id, round, wager_cents, state, outcome,
      payout_cents, idempotency_key, placed_at, ended_at, updated_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${firstId}::bigint + number, ${firstId}::bigint + player, ${firstId}::bigint + 2 * player, ${firstId}::bigint + n,
      ${firstId}::bigint + 2 * n + CASE WHEN won THEN 0 ELSE 1 END, 1, ${WAGER_CENTS}::int, 'resolved',
      CASE WHEN won THEN 'won' ELSE 'lost' END, CASE WHEN won THEN 2 * ${WAGER_CENTS}::int ELSE 0 END, 'filled-' || n,
      ${momentOf(sql`n`, events)} + interval '30 seconds', ${momentOf(sql`n`, events)} + interval '2 minutes',
      ${momentOf(sql`n`, events)} + interval '2 minutes'
    FROM ${callsOf(size)} c ORDER BY number`);
}

/** All grants: their number, player number, how many of this player are before, and when they were given: one a day. */
function grantsOf({ users, events, grants }: Size): SQL {
  return sql`(
    SELECT n AS number, player, before,
      ${momentOf(sql`-1`, events)} - (last - before) * interval '1 day' AS at
    FROM (
      SELECT p * ${grants}::int + g AS n, p AS player, g AS before, ${grants}::int - 1 AS last
      FROM generate_series(0, ${users - 1}::int) p CROSS JOIN generate_series(0, ${grants - 1}::int) g
      UNION ALL
      SELECT ${users * grants}::int + p * ${events}::int + g, ${users}::int + p, g, ${events}::int - 1
      FROM generate_series(0, 1) p CROSS JOIN generate_series(0, ${events - 1}::int) g
    ) q
  )`;
}

/** What a player has after this many grants. */
const grantedBy = (count: SQL) =>
  sql`(${WELCOME_CENTS}::bigint + ${TOP_UP_CENTS}::bigint * ((${count}) - 1))`;

/** One journal for each grant, then one for each event. */
async function fillJournal(tx: Transaction, size: Size): Promise<void> {
  const { events, firstId } = size;
  await tx.execute(sql`INSERT INTO journal (id, kind, idempotency_key, request_hash, reason, created_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${firstId}::bigint + number, 'grant', CASE WHEN before = 0 THEN 'grant-welcome-' || ${firstId}::bigint + player
        ELSE 'grant-top-up-' || ${firstId}::bigint + player || '-' || (at AT TIME ZONE 'UTC')::date END, '', 'Play money', at
    FROM ${grantsOf(size)} g ORDER BY number`);
  await tx.execute(sql`INSERT INTO journal (id, kind, idempotency_key, request_hash, event_id, round, created_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${journalOf(size, sql`n`)}, 'settle', 'filled-settle-' || n, '',
      ${firstId}::bigint + n, 1, ${momentOf(sql`n`, events)} + interval '2 minutes'
    FROM generate_series(0, ${events - 1}::int) n`);
}

async function fillSettlements(tx: Transaction, size: Size): Promise<void> {
  const { users, events, callsPerEvent, firstId } = size;
  const calls = callsPerEvent + 2;
  await tx.execute(sql`INSERT INTO settlements (id, event_id, round, version, result, journal_id, pool_cents,
      winning_pool_cents, refunded_cents, calls_count, paid_calls_count, paid_from_user_id, paid_at, created_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${firstId}::bigint + n, ${firstId}::bigint + n, 1, 1, 'true', ${journalOf(size, sql`n`)},
      ${calls * WAGER_CENTS}::int, ${(calls * WAGER_CENTS) / 2}::int, 0, ${calls}::int, ${calls}::int,
      ${firstId}::bigint + n * ${callsPerEvent}::int % ${users}::int, ${momentOf(sql`n`, events)} + interval '2 minutes',
      ${momentOf(sql`n`, events)} + interval '2 minutes'
    FROM generate_series(0, ${events - 1}::int) n`);
  await tx.execute(sql`INSERT INTO settlement_lines (settlement_id, call_id, payout_cents, outcome)
    SELECT event_id, id, payout_cents, outcome FROM calls WHERE id >= ${firstId} ORDER BY id`);
}

/** Both entries of each grant: to the wallet, from promo. */
async function fillGrants(tx: Transaction, size: Size): Promise<void> {
  const { firstId } = size;
  await tx.execute(sql`INSERT INTO entries (journal_id, account_id, amount_cents, balance_after_cents, held_after_cents,
      account_version, created_at)
    SELECT ${firstId}::bigint + number, ${firstId}::bigint + 2 * player,
      CASE WHEN before = 0 THEN ${WELCOME_CENTS}::int ELSE ${TOP_UP_CENTS}::int END, ${grantedBy(sql`before + 1`)}, 0, before + 1, at
    FROM ${grantsOf(size)} g ORDER BY number`);
  // Promo has given whatever was granted before: the grants of the players before this one, and of this one.
  await tx.execute(sql`INSERT INTO entries (journal_id, account_id, amount_cents, balance_after_cents, held_after_cents,
      account_version, created_at)
    SELECT ${firstId}::bigint + g.number, a.id, -g.cents,
      a.posted_cents - sum(g.cents) OVER (ORDER BY g.number), 0, a.version + g.number + 1, g.at
    FROM (SELECT *, CASE WHEN before = 0 THEN ${WELCOME_CENTS}::bigint ELSE ${TOP_UP_CENTS}::bigint END AS cents
      FROM ${grantsOf(size)} q) g, accounts a WHERE a.kind = 'promo' ORDER BY g.number`);
}

async function fillPayouts(tx: Transaction, size: Size): Promise<void> {
  const { users, events, firstId, grants: usual } = size;
  const grants = sql`(CASE WHEN player >= ${users}::int THEN ${events}::int ELSE ${usual}::int END)`;
  await tx.execute(sql`INSERT INTO entries (journal_id, account_id, call_id, amount_cents, balance_after_cents,
      held_after_cents, account_version, listed, created_at)
    SELECT ${journalOf(size, sql`n`)}, ${firstId}::bigint + 2 * player, ${firstId}::bigint + number,
      CASE WHEN won THEN ${WAGER_CENTS}::int ELSE -${WAGER_CENTS}::int END,
      ${grantedBy(grants)} + ${netBefore(sql`player`, sql`before + 1`)}, 0, ${grants} + before + 1, false,
      ${momentOf(sql`n`, events)} + interval '2 minutes'
    FROM ${callsOf(size)} c ORDER BY number`);
}

/** What a player has won and lost before: nothing, or one wager if the number of calls is odd. Even players win first. */
function netBefore(player: SQL, calls: SQL): SQL {
  return sql`CASE WHEN (${calls}) % 2 = 0 THEN 0 WHEN (${player}) % 2 = 0 THEN ${WAGER_CENTS}::int ELSE -${WAGER_CENTS}::int END`;
}

/** What the triggers of calls and entries keep. */
async function fillBalances(tx: Transaction, { firstId }: Size): Promise<void> {
  await tx.execute(sql`UPDATE accounts a SET posted_cents = posted_cents + e.amount, version = version + e.n,
      revision = revision + e.n, moves_count = moves_count + e.listed
    FROM (
      SELECT account_id, sum(amount_cents) AS amount, count(*) AS n, count(*) FILTER (WHERE listed) AS listed
      FROM entries WHERE journal_id >= ${firstId} GROUP BY 1
    ) e
    WHERE a.id = e.account_id`);
  await tx.execute(sql`UPDATE accounts a SET moves_count = moves_count + 2 * c.n, recorded_calls = recorded_calls + c.n,
      resolved_calls = resolved_calls + c.n
    FROM (SELECT account_id, count(*) AS n FROM calls WHERE id >= ${firstId} GROUP BY 1) c
    WHERE a.id = c.account_id`);
  await tx.execute(sql`SELECT add_to_total(a.kind, 0, sum(e.amount_cents)::bigint)
    FROM entries e JOIN accounts a ON a.id = e.account_id WHERE e.journal_id >= ${firstId} GROUP BY a.kind`);
}

function journalOf({ users, events, grants, firstId }: Size, event: SQL): SQL {
  return sql`${firstId + users * grants + 2 * events}::bigint + ${event}`;
}

/** The results and scores of the filled calls, and the newest change of each leaderboard, which is kept. Every player wins and loses in turn, so a streak is never longer than 1. */
async function fillScores(tx: Transaction, { firstId }: Size): Promise<void> {
  await tx.execute(sql`INSERT INTO results (event_id, user_id, session_id, resolved_at, calls_count, net_cents,
      wagered_cents, returned_cents, refunded)
    SELECT e.id, c.user_id, e.session_id, e.resolved_at, 1, c.payout_cents - c.wager_cents, c.wager_cents, c.payout_cents,
      false
    FROM calls c JOIN events e ON e.id = c.event_id WHERE c.id >= ${firstId} ORDER BY e.id, c.user_id`);
  await tx.execute(sql`INSERT INTO scores (user_id, session_id, played, wins, losses, refunded, calls_count, net_cents,
      wagered_cents, returned_cents, current_streak, best_streak, last_resolved_at, last_event_id)
    SELECT user_id, CASE WHEN grouping(session_id) = 0 THEN session_id END, count(*), count(*) FILTER (WHERE net_cents > 0),
      count(*) FILTER (WHERE net_cents < 0), 0, count(*), sum(net_cents), sum(wagered_cents), sum(returned_cents),
      ((array_agg(net_cents ORDER BY event_id DESC))[1] > 0)::int, bool_or(net_cents > 0)::int, max(resolved_at),
      max(event_id)
    FROM results WHERE event_id >= ${firstId} GROUP BY GROUPING SETS ((user_id), (user_id, session_id))`);
  await tx.execute(
    sql`INSERT INTO leaderboard_changes (session_id, created_at)
      SELECT id, game_now() - interval '1 day' FROM sessions WHERE id >= ${firstId} ORDER BY id`,
  );
}
