import { expect, test } from "bun:test";
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
