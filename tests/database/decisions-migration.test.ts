import { expect, test } from "bun:test";
import { migrate } from "#db/migrate.ts";
import { readRelease } from "#db/upgrade/release.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const release = readRelease();
const index = release.migrations.findIndex(({ name }) => name === "0002_decisions");
const database = await createTestDatabase({ empty: true });
afterFile(() => database.drop());

test("the columns of a decision are filled from pending results and from the settlements in force", async () => {
  const before = { ...release, migrations: release.migrations.slice(0, index), afterTables: [] };
  await migrate(database.url, { release: before });
  await database.pool.sql
    .unsafe(`SET session_replication_role = replica; -- without the foreign keys of the settlements
    INSERT INTO events (title, state, next_transition, pending_result, pending_by_id, pending_effective_at, updated_at)
      VALUES ('Pending', 'closed', 'resolve', 'true', 7, '2026-11-20T20:00Z', '2026-11-20T20:05Z');
    INSERT INTO events (title, state, result, resolved_at) VALUES ('Paid', 'resolved', 'false', '2026-11-20T21:00Z');
    INSERT INTO events (title) VALUES ('Undecided');
    INSERT INTO settlements
        (event_id, round, version, result, effective_at, journal_id, pool_cents, winning_pool_cents, refunded_cents, superseded)
      SELECT id, 1, n, 'false', '2026-11-20T20:30Z'::timestamptz + n * interval '1 min', n, 0, 0, 0, n = 1
      FROM events, generate_series(1, 2) n WHERE title = 'Paid'`);
  for (const statement of release.migrations[index]?.statements ?? []) {
    await database.pool.sql.unsafe(statement);
  }
  const rows = await database.pool
    .sql`SELECT title, decided_at, decided_by_id::int, effective_at FROM events ORDER BY id`;
  const at = (time: string) => new Date(`2026-11-20T${time}:00Z`);
  expect([...rows]).toEqual([
    { title: "Pending", decided_at: at("20:05"), decided_by_id: 7, effective_at: at("20:00") },
    { title: "Paid", decided_at: at("21:00"), decided_by_id: null, effective_at: at("20:32") },
    { title: "Undecided", decided_at: null, decided_by_id: null, effective_at: null },
  ]);
});
