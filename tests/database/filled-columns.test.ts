import { expect, test } from "bun:test";
import * as v from "valibot";
import { migrate } from "#db/migrate.ts";
import { readRelease } from "#db/upgrade/release.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const release = readRelease();

/** A database from before a migration, with these rows. `perform` then performs the migration. */
async function databaseBefore(name: string, rows: string) {
  const database = await createTestDatabase({ empty: true });
  afterFile(() => database.drop());
  const index = release.migrations.findIndex((migration) => migration.name === name);
  const before = { ...release, migrations: release.migrations.slice(0, index), afterTables: [] };
  await migrate(database.url, { release: before });
  const { sql } = database.pool;
  await sql.unsafe(`SET session_replication_role = replica; -- without foreign keys\n${rows}`);
  const perform = async () => {
    for (const statement of release.migrations[index]?.statements ?? []) await sql.unsafe(statement);
  };
  return { sql, perform };
}

test("calls that a skip or a reset refunded get their cause from the audit, and cancelled calls get none", async () => {
  const { sql, perform } = await databaseBefore(
    "0001_refunded-calls",
    `INSERT INTO calls
        (user_id, account_id, event_id, spot_id, round, wager_cents, state, idempotency_key, placed_at, updated_at)
      SELECT 1, 1, event, 1, 1, 100, state, n, '2026-11-20T20:00Z', '2026-11-20T20:00Z'::timestamptz + after * interval '1 s'
      FROM (VALUES (1, 4, 'soft_destroyed', 59.9), (2, 4, 'soft_destroyed', 20), (3, 5, 'soft_destroyed', 60),
        (4, 6, 'soft_destroyed', 60), (5, 4, 'placed', 60)) v(n, event, state, after);
    INSERT INTO audit (action, subject_type, subject_id, created_at) VALUES
      ('skip', 'event', 4, '2026-11-20T20:01Z'), ('reset', 'event', 5, '2026-11-20T20:01Z'),
      ('skip', 'session', 6, '2026-11-20T20:01Z'), ('close_event', 'event', 6, '2026-11-20T20:01Z')`,
  );
  await perform();
  const [row] = await sql`SELECT array_agg(refunded_by ORDER BY id) AS causes FROM calls`;
  expect(row).toEqual({ causes: ["skip", null, "reset", null, null] });
});

test("the columns of a decision are filled from pending results and from the settlements in force", async () => {
  const { sql, perform } = await databaseBefore(
    "0002_decisions",
    `INSERT INTO events (title, state, next_transition, pending_result, pending_by_id, pending_effective_at, updated_at)
      VALUES ('Pending', 'closed', 'resolve', 'true', 7, '2026-11-20T20:00Z', '2026-11-20T20:05Z');
    INSERT INTO events (title, state, result, resolved_at) VALUES ('Paid', 'resolved', 'false', '2026-11-20T21:00Z');
    INSERT INTO events (title) VALUES ('Undecided');
    INSERT INTO settlements
        (event_id, round, version, result, effective_at, journal_id, pool_cents, winning_pool_cents, refunded_cents, superseded)
      SELECT id, 1, n, 'false', '2026-11-20T20:30Z'::timestamptz + n * interval '1 min', n, 0, 0, 0, n = 1
      FROM events, generate_series(1, 2) n WHERE title = 'Paid'`,
  );
  await perform();
  const rows = await sql`SELECT title, decided_at, decided_by_id::int, effective_at FROM events ORDER BY id`;
  const at = (time: string) => new Date(`2026-11-20T${time}:00Z`);
  expect([...rows]).toEqual([
    { title: "Pending", decided_at: at("20:05"), decided_by_id: 7, effective_at: at("20:00") },
    { title: "Paid", decided_at: at("21:00"), decided_by_id: null, effective_at: at("20:32") },
    { title: "Undecided", decided_at: null, decided_by_id: null, effective_at: null },
  ]);
});

/** Two players, a corrected event, and calls in each state. */
const rowsBeforeCounts = `INSERT INTO users (id, username, guest) OVERRIDING SYSTEM VALUE VALUES (1, 'ana', true), (2, 'ben', true);
    INSERT INTO accounts (id, kind, user_id, posted_cents) OVERRIDING SYSTEM VALUE
      VALUES (101, 'wallet', 1, 300), (102, 'wallet', 2, 50);
    INSERT INTO sessions (id, slug, name) OVERRIDING SYSTEM VALUE VALUES (1, 'first-a', 'First'), (2, 'second-a', 'Second');
    INSERT INTO events (id, session_id, title, state, result) OVERRIDING SYSTEM VALUE VALUES
      (1, 1, 'One', 'resolved', 'false'), (2, 1, 'Two', 'soft_destroyed', NULL), (3, 1, 'Three', 'draft', NULL);
    INSERT INTO registrations (session_id, user_id, display_name) VALUES (1, 1, 'Ana'), (1, 2, 'Ben');
    INSERT INTO settlements (id, event_id, round, version, result, journal_id, pool_cents, winning_pool_cents,
        refunded_cents, superseded, calls_count, paid_from_user_id, paid_at, created_at)
      OVERRIDING SYSTEM VALUE VALUES
      (1, 1, 1, 1, 'true', 1, 0, 0, 0, true, 2, 2, NULL, '2026-11-20T20:01Z'),
      (2, 1, 1, 2, 'false', 2, 0, 0, 0, false, 0, NULL, '2026-11-20T20:09Z', '2026-11-20T20:02Z');
    INSERT INTO calls (id, user_id, account_id, event_id, spot_id, round, wager_cents, state, outcome, payout_cents,
        refunded_by, idempotency_key, placed_at, updated_at)
      OVERRIDING SYSTEM VALUE
      SELECT id, player, 100 + player, 1, 1, 1, 10, state, outcome, payout, cause, id, '2026-11-20T20:00Z',
        '2026-11-20T20:30Z'
      FROM (VALUES (1, 1, 'resolved', 'won', 20, NULL), (2, 2, 'resolved', 'lost', 0, NULL),
        (3, 1, 'soft_destroyed', NULL, NULL, NULL), (4, 1, 'soft_destroyed', NULL, NULL, 'skip'),
        (5, 2, 'placed', NULL, NULL, NULL)) v(id, player, state, outcome, payout, cause);
    INSERT INTO journal (id, kind, idempotency_key, request_hash, supersedes_id, reason) OVERRIDING SYSTEM VALUE
      VALUES (1, 'settle', 'a', '', NULL, NULL), (2, 'resettle', 'b', '', 1, 'Wrong'), (3, 'grant', 'c', '', NULL, NULL);
    INSERT INTO entries (journal_id, account_id, call_id, amount_cents, balance_after_cents, held_after_cents,
        account_version)
      VALUES (3, 101, NULL, 5, 5, 0, 1), (1, 101, 1, 10, 15, 0, 2), (2, 101, 1, 5, 20, 0, 3), (1, 101, NULL, 5, 5, 0, 4)`;

test("the ends of calls, the listed entries and all counters are filled from the rows", async () => {
  const { sql, perform } = await databaseBefore("0003_kept-counts", rowsBeforeCounts);
  await perform();
  const read = async (query: string): Promise<unknown[]> =>
    v.parse(v.array(v.unknown()), [...(await sql.unsafe(query))]);
  // The first settlement was superseded before it paid ana. Destroyed calls ended with their last change.
  expect(
    await read("SELECT to_char(ended_at AT TIME ZONE 'UTC', 'HH24:MI') AS at FROM calls ORDER BY id"),
  ).toEqual(["20:02", "20:01", "20:30", "20:30", null].map((at) => ({ at })));
  expect(await read("SELECT listed FROM entries ORDER BY id")).toEqual(
    [true, false, true, true].map((listed) => ({ listed })),
  );
  expect(
    await read(`SELECT moves_count AS moves, recorded_calls AS recorded, resolved_calls AS resolved
      FROM accounts WHERE user_id IS NOT NULL ORDER BY id`),
  ).toEqual([
    { moves: 9, recorded: 2, resolved: 1 },
    { moves: 3, recorded: 2, resolved: 1 },
  ]);
  expect(
    await read("SELECT session_id::int, events_count, registrations_count FROM session_counts ORDER BY 1"),
  ).toEqual([
    { session_id: 1, events_count: 2, registrations_count: 2 },
    { session_id: 2, events_count: 0, registrations_count: 0 },
  ]);
  expect(
    await read(
      "SELECT rows_count::int AS n, posted_cents::int AS posted FROM totals WHERE name IN ('users', 'wallet') ORDER BY name",
    ),
  ).toEqual([
    { n: 2, posted: 0 },
    { n: 2, posted: 350 },
  ]);
});

test("calls of earlier rounds get their texts from the log, else from the audit, and never from a draft", async () => {
  const { sql, perform } = await databaseBefore(
    "0023_earlier_texts",
    `INSERT INTO events (id, session_id, title, true_label, false_label, state, round) OVERRIDING SYSTEM VALUE VALUES
      (1, 1, 'Secret', 'Secret yes', 'Secret no', 'draft', 2), (2, NULL, 'Now', 'Yes', 'No', 'draft', 4),
      (3, 1, 'Secret', 'Secret yes', 'Secret no', 'draft', 2), (4, 1, 'First round', 'Yes', 'No', 'visible', 1),
      (5, 1, 'Secret', 'Secret yes', 'Secret no', 'hidden', 1), (6, NULL, 'Skipped', 'Yes', 'No', 'hidden', 1);
    INSERT INTO calls (id, user_id, account_id, event_id, spot_id, round, wager_cents, state, idempotency_key, placed_at, ended_at)
      OVERRIDING SYSTEM VALUE
      SELECT id, 1, 1, event, 1, round, 1, 'soft_destroyed', id, now(), now()
      FROM (VALUES (11, 1, 1), (12, 1, 1), (21, 2, 1), (22, 2, 2), (31, 3, 1), (41, 4, 1), (51, 5, 1), (61, 6, 1)
      ) v(id, event, round);
    INSERT INTO session_log (step, session_id, kind, subject_id, detail)
      SELECT n, session, 'event', event, jsonb_build_object('state', state, 'round', round, 'title', title, 'trueLabel',
        title || ' yes', 'falseLabel', title || ' no')
      FROM (VALUES (1, 1, 1, 'visible', 1, 'Before'), (2, 1, 1, 'open', 1, 'Asked'), (3, 1, 1, 'hidden', 1, 'Hidden'),
        (4, 1, 1, 'draft', 2, 'Secret'), (5, 9, 3, 'open', 1, 'Of another session'), (6, 1, 3, 'draft', 2, 'Secret'),
        (7, 1, 5, 'open', 1, 'Played'), (8, 1, 5, 'hidden', 1, 'Secret')
      ) v(n, session, event, state, round, title) ORDER BY n;
    INSERT INTO audit (action, subject_type, subject_id, before) VALUES
      ('update_event', 'event', 2, '{"title": "Too early"}'), ('reset', 'event', 2, '{}'),
      ('update_event', 'event', 2, '{"title": "First"}'), ('update_event', 'event', 2, '{"title": "Between"}'),
      ('reset', 'event', 2, '{}'), ('update_event', 'event', 2, '{"trueLabel": "Aye"}'), ('reset', 'event', 2, '{}'),
      ('reset', 'session', 3, '{}')`,
  );
  await perform();
  const rows = await sql`SELECT last_call_id::int AS until, title, true_label AS yes, false_label AS no
    FROM earlier_texts ORDER BY 1`;
  expect([...rows]).toEqual([
    { until: 12, title: "Asked", yes: "Asked yes", no: "Asked no" },
    { until: 21, title: "First", yes: "Aye", no: "No" },
    { until: 22, title: "Now", yes: "Aye", no: "No" },
    { until: 31, title: "A question of an earlier round", yes: "True", no: "False" },
    { until: 51, title: "Played", yes: "Played yes", no: "Played no" },
    { until: 61, title: "Skipped", yes: "Yes", no: "No" },
  ]);
});

test("the calls that players have cancelled are counted, without those that were refunded", async () => {
  const { sql, perform } = await databaseBefore(
    "0029_cancelled_calls",
    `INSERT INTO accounts (id, kind, user_id) OVERRIDING SYSTEM VALUE VALUES (101, 'wallet', 1), (102, 'wallet', 2);
    INSERT INTO calls (user_id, account_id, event_id, spot_id, round, wager_cents, state, refunded_by, idempotency_key, placed_at, ended_at)
      SELECT 1, 101, 1, 1, 1, 1, state, cause, n, now(), CASE WHEN state <> 'placed' THEN now() END
      FROM (VALUES (1, 'soft_destroyed', NULL), (2, 'soft_destroyed', 'skip'), (3, 'placed', NULL),
        (4, 'soft_destroyed', NULL)) v(n, state, cause)`,
  );
  await perform();
  const rows =
    await sql`SELECT cancelled_calls AS cancelled FROM accounts WHERE user_id IS NOT NULL ORDER BY id`;
  expect([...rows]).toEqual([{ cancelled: 2 }, { cancelled: 0 }]);
});

test("streaks are counted again where somebody was right and nobody had taken the other side", async () => {
  const { sql, perform } = await databaseBefore(
    "0031_streaks_of_being_right",
    `INSERT INTO events (id, session_id, title, state, result, resolved_at, opened_at, closed_at) OVERRIDING SYSTEM VALUE
      SELECT n, 1, 'Rain?', 'resolved', 'true', now(), now(), now() FROM generate_series(1, 3) n;
    INSERT INTO spots (event_id, side, state, pool_cents)
      SELECT n, side, 'closed', CASE WHEN side = 'true' OR n = 1 THEN 5 ELSE 0 END
      FROM generate_series(1, 3) n, (VALUES ('true'), ('false')) s(side);
    -- Won, right without an opponent, and right once more; the other player has lost.
    INSERT INTO results (event_id, user_id, session_id, resolved_at, calls_count, net_cents, wagered_cents, returned_cents, refunded)
      VALUES (1, 1, 1, now(), 1, 5, 5, 10, false), (2, 1, 1, now(), 1, 0, 0, 0, true), (3, 1, 1, now(), 1, 0, 0, 0, true),
        (1, 2, 1, now(), 1, -5, 5, 0, false);
    INSERT INTO scores (user_id, session_id, played, wins, losses, refunded, calls_count, net_cents, wagered_cents, returned_cents,
        current_streak, best_streak, last_resolved_at, last_event_id)
      SELECT u, s, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, now(), 3 FROM (VALUES (1, 1), (1, NULL), (2, 1)) v(u, s)`,
  );
  await perform();
  const rows =
    await sql`SELECT current_streak AS now, best_streak AS best FROM scores ORDER BY user_id, session_id`;
  expect([...rows]).toEqual([
    { now: 3, best: 3 },
    { now: 3, best: 3 },
    { now: 1, best: 1 },
  ]);
});
