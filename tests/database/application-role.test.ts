import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { connect, inTransaction } from "#db/client.ts";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { functionGrants, tableGrants } from "#db/roles/grants.ts";
import { ownsTables } from "#db/roles/missing-rights.ts";
import { migrate } from "#db/upgrade/migrate.ts";
import { startSchedule } from "#jobs/schedule.ts";
import { createLog } from "#src/base/log.ts";
import { checkBooks } from "#src/books/check-books.ts";
import { destroyCall } from "#src/play/calls/cancel-call.ts";
import { repairScores } from "#src/play/leaderboard/repair-scores.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { startSweep } from "#src/show/timers/sweep.ts";
import { asApplication } from "#tests/support/application.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { payInParts, testDatabase } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const owner = await testDeps();
const deps = asApplication(owner);
const admin = await buildAdmin(owner);
const names = v.array(v.object({ name: v.string() }));
const namesOf = async (query: ReturnType<typeof sql>) =>
  v.parse(names, [...(await owner.pool.db.execute(query))]).map(({ name }) => name);

test("every table and view has a line of rights, and every line a table or view", async () => {
  const relations = await namesOf(sql`SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v') ORDER BY 1`);
  expect(Object.keys(tableGrants).toSorted()).toEqual(relations.toSorted());
});

test("every function that the application may call exists", async () => {
  const functions = await namesOf(
    sql`SELECT DISTINCT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
  );
  expect(functionGrants.filter((name) => !functions.includes(name))).toEqual([]);
});

test("the application is not the owner, and the owner is", async () => {
  expect(await ownsTables(deps.pool.db)).toBe(false);
  expect(await ownsTables(owner.pool.db)).toBe(true);
});

/** Statements that no verb sends. Each is refused with insufficient_privilege. */
const forbidden: readonly string[] = [
  ...["journal", "entries", "settlement_lines", "audit", "journal_seals", "session_log"].flatMap((table) => [
    `DELETE FROM ${table}`,
    `TRUNCATE ${table}`,
  ]),
  "UPDATE journal SET reason = 'other'",
  "UPDATE entries SET amount_cents = amount_cents + 1",
  "UPDATE settlement_lines SET payout_cents = 0",
  "UPDATE audit SET reason = 'other'",
  "UPDATE journal_seals SET hash = hash",
  "INSERT INTO journal (kind, idempotency_key, request_hash, reason) VALUES ('grant', 'mine', '', 'Mine')",
  `INSERT INTO entries (journal_id, account_id, amount_cents, balance_after_cents, held_after_cents, account_version)
    SELECT max(id), 1, 100, 100, 0, 1 FROM journal`,
  "INSERT INTO journal_seals (hash, journals, audits, through_journal, through_audit, horizon) VALUES ('', '{}', '{}', 0, 0, '1')",
  "UPDATE accounts SET posted_cents = posted_cents + 1",
  "UPDATE accounts SET fence = 9223372036854775807",
  "INSERT INTO accounts (kind) VALUES ('house')",
  "DELETE FROM accounts",
  "UPDATE calls SET state = 'soft_destroyed', ended_at = now()",
  "UPDATE calls SET wager_cents = 1",
  "INSERT INTO calls OVERRIDING SYSTEM VALUE SELECT * FROM calls",
  "DELETE FROM calls",
  "UPDATE settlements SET superseded = true",
  "DELETE FROM settlements",
  "UPDATE spots SET pool_cents = 0",
  "UPDATE payments SET state = 'succeeded'",
  "UPDATE payments SET amount_cents = 1",
  "DELETE FROM payments",
  "UPDATE outbox SET payload = '{}'",
  "UPDATE totals SET posted_cents = 0",
  "UPDATE session_counts SET events_count = 0",
  "DELETE FROM users",
  "TRUNCATE outbox",
  "TRUNCATE events CASCADE",
  "SELECT book('grant', 'mine', 1, 100, 'promo', NULL, 'Mine')",
  "SELECT post_entries(1, ARRAY[1]::bigint[], ARRAY[100]::bigint[])",
  "SELECT repay_debts(ARRAY[1]::bigint[])",
  "SELECT add_to_total('users', 1, 0)",
  "ALTER TABLE entries DISABLE TRIGGER ALL",
  "ALTER TABLE accounts DISABLE TRIGGER accounts_balances",
  "SET session_replication_role = replica",
  "DROP TRIGGER entries_apply ON entries",
  "CREATE OR REPLACE FUNCTION game_now() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'",
  "CREATE TABLE mine (id int)",
  "CREATE SCHEMA mine",
  "ALTER TABLE journal ADD COLUMN mine int",
  "DROP TABLE audit",
  `SET ROLE app`,
  "CREATE ROLE mine",
  `ALTER ROLE ${APPLICATION_ROLE} SUPERUSER`,
  "COPY entries TO '/dev/null'",
  "DELETE FROM drizzle.__drizzle_migrations",
  "UPDATE upgrade.sql_sets SET version = '9'",
];

const privilegeError = v.object({ cause: v.object({ errno: v.literal("42501") }) });

test("the database refuses each of these, and nothing changes", async () => {
  const before = await digestTables(owner.pool.db);
  for (const statement of forbidden) {
    const error = await deps.pool.db.execute(sql.raw(statement)).then(
      () => "done",
      (refused: unknown) => refused,
    );
    expect([statement, v.is(privilegeError, error) ? "refused" : error]).toEqual([statement, "refused"]);
  }
  expect(await digestTables(owner.pool.db)).toBe(before);
});

test("temporary tables are refused too, in a database that its owner has migrated", async () => {
  const { url, pool } = await testDatabase({ empty: true });
  await migrate(url, { applicationRole: APPLICATION_ROLE });
  const address = new URL(url);
  address.username = APPLICATION_ROLE;
  const application = connect(address.toString(), { poolSize: 1 });
  const error = await application.db.execute(sql`CREATE TEMPORARY TABLE mine (id int)`).then(
    () => "done",
    (refused: unknown) => refused,
  );
  await application.close();
  expect(v.is(privilegeError, error) ? "refused" : error).toBe("refused");
  expect(await ownsTables(pool.db)).toBe(true);
});

test("a right granted to the application by hand is revoked at the next start", async () => {
  const { url, pool } = await testDatabase();
  await pool.db.execute(sql.raw(`GRANT ALL ON entries TO ${APPLICATION_ROLE}`));
  await pool.db.execute(sql`GRANT EXECUTE ON FUNCTION post_entries TO PUBLIC`);
  await migrate(url, { applicationRole: APPLICATION_ROLE });
  const [rights] = await pool.db
    .execute(sql`SELECT has_table_privilege(${APPLICATION_ROLE}, 'entries', 'INSERT') AS entries,
    has_function_privilege(${APPLICATION_ROLE}, 'post_entries(bigint, bigint[], bigint[])', 'EXECUTE') AS post`);
  expect(rights).toEqual({ entries: false, post: false });
});

test("a role that does not exist is refused with a sentence", async () => {
  const { url } = await testDatabase({ empty: true });
  const started = migrate(url, { applicationRole: "nobody_yet" });
  expect(started).rejects.toThrow('The role "nobody_yet" of DATABASE_URL does not exist.');
});

/** An open event of a running session, with a call of each of two players. */
async function buildDuel() {
  const session = await buildRunningSession(owner);
  const event = await buildEvent(owner, "open", { sessionId: session.id });
  const [ana, bob] = [await buildPlayer(owner), await buildPlayer(owner)];
  const callId = await buildCall(deps, { userId: ana.id, eventId: event.id });
  await buildCall(deps, { userId: bob.id, eventId: event.id, side: "false" });
  return { eventId: event.id, callId };
}

test("the verbs of an event need no more rights: close, resolve, correct, reset, skip, and taking a call back", async () => {
  const [played, skipped, taken] = [await buildDuel(), await buildDuel(), await buildDuel()];
  await closeEvent(deps, { eventId: played.eventId, actor: null });
  await resolveAndPay(deps, { eventId: played.eventId, actor: admin, result: "true" });
  await resolveAndPay(deps, { eventId: played.eventId, actor: admin, result: "false", reason: "Seen again" });
  await resetEvent(deps, { eventId: played.eventId, actor: admin, reason: "Again" });
  await skipEvent(deps, { eventId: skipped.eventId, actor: admin, reason: "No time" });
  await destroyCall(deps, { callId: taken.callId, actor: admin, reason: "A mistake" });
});

test("a large settlement needs no more rights", async () => {
  const { eventId } = await buildDuel();
  await payInParts(owner.pool, { atOnceMax: 1, partMax: 1 });
  await closeEvent(deps, { eventId, actor: null });
  await resolveAndPay(deps, { eventId, actor: admin, result: "true" });
  await payInParts(owner.pool);
  const other = await buildDuel();
  await closeEvent(deps, { eventId: other.eventId, actor: null });
  const settling = inTransaction(deps.pool.db, async (tx) => {
    await settleEvent(tx, { eventId: other.eventId, result: "true", actorId: null });
  });
  // Only the whole verb may commit it.
  expect(settling).rejects.toThrow();
});

test("the tasks of the worker, the sweep, the checks and the repair of the scores need no more rights", async () => {
  const failures: string[] = [];
  const log = createLog(deps.env, "test");
  log.error = (_: unknown, message?: string) => void failures.push(message ?? "");
  const working = { ...deps, log };
  await startSchedule(working).stop();
  await startSweep(working).stop();
  await inTransaction(deps.pool.db, (tx) => repairScores(tx, null));
  expect((await checkBooks(deps, admin)).differencesCount).toBe(0);
  expect(failures).toEqual([]);
});
