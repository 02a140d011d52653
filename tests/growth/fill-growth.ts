import { sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { fillLedger, fillScores } from "./fill-ledger.ts";
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
  /** The player with the longest history: a call on every event, and as many grants. */
  heavyPlayerId: number;
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
  return {
    ...size,
    heavyPlayerId: FIRST_ID + size.users,
    playerId: FIRST_ID + 1,
    sessionId: FIRST_ID,
    eventId: FIRST_ID,
  };
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
