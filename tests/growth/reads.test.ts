import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { sealJournals } from "#db/ledger/seal-journals.ts";
import { schedule } from "#jobs/schedule.ts";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import type { Deps } from "#src/base/deps.ts";
import { ownVariables } from "#src/settings/env.ts";
import { openFixture } from "#tests/api/fixture.ts";
import { happy } from "#tests/api/happy.ts";
import { buildRequest, sendRequest } from "#tests/api/send-request.ts";
import { buildWorld, pathIn } from "#tests/http/access-world.ts";
import { pageAccess } from "#tests/http/page-access.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { asApplication } from "#tests/support/application.ts";
import { listDifferences } from "#tests/support/books.ts";
import { signInDirectly } from "#tests/support/client.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { testServers } from "#tests/support/servers.ts";
import { recordContract } from "#tests/upgrade/record-contract.ts";
import { fillGrowth, type Filled } from "./fill-growth.ts";
import { FULL, size } from "./fill-size.ts";
import { LIBRARY, countBlocks, logPlans, openPlanLog, readTouched, type Read } from "./read-plans.ts";

/** Audit entries and mails of each filled user, and so on: a row of each kind, or this many. */
const PER_USER = 2;

/**
 * Fills the tables that grow beside the game, with rows of each filled user: audit, session log, chat, mails, tokens, payments that
 * were never paid, and so on. All are from the last hour, so no periodic task deletes them.
 */
async function fillRecords({ pool }: Pick<Deps, "pool">, filled: Filled): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`SET LOCAL statement_timeout = 0`);
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await fillWhatUsersHave(tx, filled);
    await fillWhatUsersLeave(tx, filled);
    await fillWhatHostsHave(tx, filled);
    await fillJournals(tx, filled);
    await tx.execute(sql`ANALYZE`);
  });
}

async function fillWhatUsersHave(tx: Transaction, { users, firstId }: Filled): Promise<void> {
  const each = sql`FROM generate_series(${firstId}::bigint, ${firstId + users - 1}::bigint) u`;
  await tx.execute(sql`INSERT INTO passkeys (user_id, credential_id, public_key, sign_count, name)
    SELECT u, 'filled-' || u, 'key', 0, 'Phone' ${each}`);
  await tx.execute(sql`INSERT INTO access_tokens (user_id, name, scope, secret_hash, hint, by_passkey, expires_at)
    SELECT u, 'Bot', 'read', 'filled-' || u, 'hint', false, clock_timestamp() + interval '30 days' ${each}`);
  await tx.execute(sql`INSERT INTO push_subscriptions (user_id, sign_in_id, endpoint, p256dh, auth, session_live, results)
    SELECT s.user_id, s.id, 'https://push.example.test/' || s.id, 'key', 'auth', true, true
    FROM sign_ins s WHERE s.user_id >= ${firstId}`);
  await tx.execute(sql`INSERT INTO known_browsers (user_id, browser_id) SELECT u, gen_random_uuid() ${each}`);
  await tx.execute(sql`INSERT INTO blobs (key, filename, content_type, byte_size, checksum, uploaded_by_id, picture, stored_at, attached_at)
    SELECT 'filled-' || u, 'me.png', 'image/png', 1, 'sum', u, true, clock_timestamp(), clock_timestamp() ${each}`);
  await tx.execute(sql`INSERT INTO shares (user_id, kind, session_id, token, time_zone, expires_at)
    SELECT u, 'session', ${firstId}, 'filled-' || u, 'UTC', clock_timestamp() + interval '30 days' ${each}`);
  await tx.execute(sql`INSERT INTO reminders (session_id, user_id)
    SELECT s.id, u FROM (SELECT id FROM sessions ORDER BY id DESC LIMIT 2) s CROSS JOIN generate_series(${firstId}::bigint,
      ${firstId + users - 1}::bigint) u`);
  await tx.execute(sql`INSERT INTO tokens (user_id, kind, hash, email, expires_at)
    SELECT u, 'unlock', 'filled-' || u, u || '@example.test', clock_timestamp() + interval '1 day' ${each}`);
  await tx.execute(sql`INSERT INTO payments (user_id, provider, reference, amount_cents, currency)
    SELECT u, 'test', 'filled-' || u, 500, 'USD' ${each}`);
}

async function fillWhatUsersLeave(tx: Transaction, { users, firstId }: Filled): Promise<void> {
  const each = sql`FROM generate_series(${firstId}::bigint, ${firstId + users - 1}::bigint) u
    CROSS JOIN generate_series(1, ${PER_USER}::int) n`;
  await tx.execute(sql`INSERT INTO messages (session_id, user_id, client_id, body)
    SELECT ${firstId}, u, 'filled-' || n, 'What a game' ${each}`);
  await tx.execute(sql`INSERT INTO mails (kind, recipient, user_id, sent_at)
    SELECT 'email_changed', u || '@example.test', u, clock_timestamp() ${each}`);
  await tx.execute(sql`INSERT INTO idempotency_keys (user_id, purpose, key, request_hash)
    SELECT u, 'filled', n, 'hash' ${each}`);
  await tx.execute(sql`INSERT INTO webhook_events (provider, provider_event_id, payload_sha256, received_at)
    SELECT 'test', u || '-' || n, 'hash', clock_timestamp() ${each}`);
  await tx.execute(sql`INSERT INTO payment_flags (provider, message_id, reference, code, detail, said, closed_at)
    SELECT 'test', u || '-' || n, 'filled', 'unknown_payment', 'Filled', '{}', clock_timestamp() ${each}`);
  await tx.execute(
    sql`INSERT INTO outbox (kind, payload, sent_at) SELECT 'filled', '{}', game_now() ${each}`,
  );
}

async function fillWhatHostsHave(tx: Transaction, { events, users, firstId }: Filled): Promise<void> {
  await tx.execute(sql`INSERT INTO mutes (session_id, user_id, until, reason)
    SELECT ${firstId}, u, clock_timestamp() + interval '1 hour', 'Shouts'
    FROM generate_series(${firstId}::bigint, ${firstId + users - 1}::bigint) u`);
  await tx.execute(sql`INSERT INTO webhooks (id, name, url, secret_salt, disabled_at) OVERRIDING SYSTEM VALUE
    VALUES (${firstId}, 'Filled', 'https://example.test/', 'salt', clock_timestamp())`);
  await tx.execute(sql`INSERT INTO webhook_deliveries (webhook_id, fact_id, type, body, attempts, delivered_at)
    SELECT ${firstId}, n, 'Event/resolve', '{}', 1, clock_timestamp() FROM generate_series(1, ${events}::int) n`);
  await tx.execute(sql`INSERT INTO book_checks (duration_ms, findings, differences_count)
    SELECT 1, '[]', 0 FROM generate_series(1, ${events}::int)`);
  await tx.execute(sql`INSERT INTO session_log (step, session_id, kind, subject_id, created, detail)
    SELECT n + 1, e.session_id, 'event', e.id, true, '{}'
    FROM events e CROSS JOIN generate_series(1, 4) n WHERE e.id >= ${firstId}`);
  // They were guests once.
  await tx.execute(sql`INSERT INTO session_log (step, kind, subject_id, detail)
    SELECT u, 'guest', u, '{"guest": false}'
    FROM generate_series(${firstId}::bigint, ${firstId + users - 1}::bigint) u`);
}

async function fillJournals(tx: Transaction, { users, firstId }: Filled): Promise<void> {
  await tx.execute(sql`INSERT INTO audit (id, actor_id, action, subject_type, subject_id, session_id, before, after)
    OVERRIDING SYSTEM VALUE
    SELECT ${firstId}::bigint + n * ${users}::bigint + u, u, 'filled', 'user', u, ${firstId}, '{}', '{}'
    FROM generate_series(${firstId}::bigint, ${firstId + users - 1}::bigint) u CROSS JOIN generate_series(1, ${PER_USER}::int) n`);
  await tx.execute(sql`INSERT INTO audit_personal (audit_id, user_id, before, after)
    SELECT id, subject_id, '{}', '{}' FROM audit WHERE id >= ${firstId} AND action = 'filled'`);
  for (const table of ["audit", "webhooks"])
    await tx.execute(
      sql`SELECT setval(pg_get_serial_sequence(${table}::text, 'id'), (SELECT max(id) FROM ${sql.identifier(table)}))`,
    );
}

/** `RECORD_RELEASE=on`: what this release uses of its database is written to db/releases, for the next one. */
const { RECORD_RELEASE } = ownVariables();
const { isFull } = size;
/**
 * Every request, page and periodic task runs in a world whose tables have 1,200 rows or more. Postgres reports what each statement
 * has read, also inside of functions. A statement that reads more rows of a table than ROWS_MAX reads all of it, or will.
 *
 * Decision: the plans are those of large tables because reading small ones whole is forbidden to Postgres, so the run takes seconds and
 * belongs to the tests. At full size nothing is forbidden: Postgres plans by its own figures, and pg_stat_statements counts the blocks that
 * each statement touches, which sees wide rows and bloated indexes too.
 */
const SHAPE = isFull
  ? FULL
  : { users: 1_500, sessions: 1_200, eventsPerSession: 1, callsPerEvent: 12, grants: 2 };
/** A task deletes in batches of this many rows. */
const ROWS_MAX = 1_000;
/** 32 MB, of a gigabyte of entries. The first run of a function on a connection touches up to 2,000 blocks of Postgres' own catalogs. */
const BLOCKS_MAX = 4_000;
/** At full size these have up to 20,000 rows, and Postgres may prefer to read them whole. The usual run proves that it need not. */
const SMALL = ["sessions", "events", "spots", "leaderboard_changes"];
const SMALL_ROWS_MAX = 25_000;
/** The checks of the books at full size. */
const SLOW_MS = 1_800_000;
const SEALED_AT_ONCE = 100_000;
const ORIGIN = "http://localhost:3000";
const BUSY = 503;

/** Endpoints and tasks that read all rows of a kind on purpose. */
const readsAll: Record<string, string> = {
  announce: "writes to all players",
  checkBooks: "proves all of the books",
  "check the books": "proves all of the books, for at most a twentieth of the time",
  recomputeScores: "computes all scores again, for an admin",
};
/** A replay's and a results sheet's: at full size Postgres reads all of a table where it would have to look up the 2,500 players of a session one by one. */
const ofPlayers = [
  { table: "users", statement: /WITH (?:players|played) AS/, bound: "the players of a session" },
  {
    table: "session_log",
    statement: /WITH players AS|JOIN session_log l/,
    bound: "the players of a session",
  },
];
/** Statements whose reads have another bound than the size of the table. */
const bounded: { table: string; statement: RegExp; bound: string }[] = [
  {
    table: "users",
    statement: /^WITH found AS MATERIALIZED/,
    bound: "a common text is found in the order of the users, until there are enough",
  },
  { table: "scores", statement: /WITH last AS/, bound: "a ranking is read once per change and process" },
  { table: "sessions", statement: /count\(\*\)/, bound: "what hosts have created" },
  {
    table: "webhook_deliveries",
    statement: /count\(\*\)/,
    bound: "what is kept of one webhook, by its index",
  },
  ...(isFull ? ofPlayers : []),
  { table: "payments", statement: /AS (?:day|"playersAtLimit")/, bound: "the deposits of the last 31 days" },
  { table: "sign_ins", statement: /^WITH due AS \( ?SELECT id FROM sign_ins/, bound: "who is here now" },
  { table: "journal", statement: /range_agg/, bound: "what was booked in the last ten minutes" },
  { table: "audit", statement: /range_agg/, bound: "what was audited in the last ten minutes" },
];

const isBounded = (text: string) => bounded.some(({ statement }) => statement.test(text));
const isTooMuch = ({ table, rows, statement }: Read) =>
  rows > (isFull && SMALL.includes(table) ? SMALL_ROWS_MAX : ROWS_MAX) &&
  !bounded.some((each) => each.table === table && each.statement.test(statement));

const worlds: Filled[] = [];
if (isFull) await testServers(LIBRARY);
const fixture = await openFixture({}, async (deps) => {
  const filled = await fillGrowth(deps, SHAPE);
  await fillRecords(deps, filled);
  await sealPast(deps);
  worlds.push(filled);
  if (isFull) await countBlocks(deps.pool);
  await logPlans(deps.pool, { asLarge: !isFull });
});
afterFile(async () => {
  if (RECORD_RELEASE !== undefined) await recordContract(fixture.deps, log.statements);
  await fixture.deps.close();
});
const asServed = asApplication(fixture.deps);
const world = await buildWorld(fixture.deps);
const log = await openPlanLog();

/** Forgets what was read so far. */
async function forget(): Promise<void> {
  log.readNew();
  if (isFull) await readTouched(fixture.deps.pool);
}

/** The statements that have read too much since the last look, one line each. */
async function tooMuch(): Promise<string[]> {
  const reads = log
    .readNew()
    .filter(isTooMuch)
    .map(({ table, rows, by, statement }) => `${rows} rows of ${table} by ${by}: ${statement}`);
  const touched = (isFull ? await readTouched(fixture.deps.pool) : [])
    .filter(({ blocks, statement }) => blocks > BLOCKS_MAX && !isBounded(statement))
    .map(({ blocks, statement }) => `${Math.round(blocks)} blocks by ${statement}`);
  return [...new Set([...reads, ...touched])];
}

/** Seals the filled past long ago, as it would be. */
async function sealPast({ pool }: Pick<TestDeps, "pool">): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`SET LOCAL statement_timeout = 0`);
    while ((await sealJournals(tx, { rowsMax: SEALED_AT_ONCE })) >= SEALED_AT_ONCE);
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(sql`UPDATE journal_seals SET sealed_at = sealed_at - interval '1 day'`);
  });
}

test("a statement that reads a whole table is found, also if it reads an index", async () => {
  await forget();
  await asServed.pool.sql`SELECT count(*) FROM users`;
  await asServed.pool.sql`SELECT id FROM entries WHERE balance_after_cents = ${7}`;
  const [users, entries, ...others] = await tooMuch();
  expect(users).toMatch(/^\d{4,6} rows of users by (Index Only|Seq) Scan: SELECT count/);
  expect(entries).toMatch(/^\d{4,8} rows of entries by Seq Scan: SELECT id FROM entries/);
  const blocks = others.map((line) => line.replace(/^\d+ /, ""));
  expect(blocks).toEqual(isFull ? ["blocks by SELECT id FROM entries WHERE balance_after_cents = $1"] : []);
});

for (const { name, endpoint } of allEndpoints) {
  if (name in readsAll) continue;
  test(`${name} reads no large part of a table`, async () => {
    const prepare = happy[name];
    if (prepare === undefined) throw new Error(`${name} has no happy request`);
    const request = buildRequest(endpoint, await prepare(fixture));
    await forget();
    let { status } = await sendRequest(fixture.server, request.clone());
    // A busy machine draws a picture too slowly, says so, and draws it the next time.
    while (status === BUSY) ({ status } = await sendRequest(fixture.server, request.clone()));
    expect({ status, tooMuch: await tooMuch() }).toEqual({
      status: endpoint.creates === true ? 201 : status,
      tooMuch: [],
    });
    expect(status).toBeLessThan(400);
  });
}

for (const key of Object.keys(pageAccess).filter((each) => each.startsWith("GET "))) {
  test(`${key} reads no large part of a table, for a player and for an admin`, async () => {
    for (const user of [world.users.player, world.users.admin]) {
      const credentials = await signInDirectly(fixture.deps, user);
      const headers = { accept: "text/html", cookie: credentials["cookie"] ?? "" };
      await forget();
      const answer = await fixture.server.handle(new Request(ORIGIN + pathIn(world, key, null), { headers }));
      await answer.text();
      expect(await tooMuch()).toEqual([]);
    }
  });
}

for (const { name, run } of schedule) {
  if (name in readsAll) continue;
  test(`the task "${name}" reads no large part of a table`, async () => {
    await forget();
    await run(asServed);
    expect(await tooMuch()).toEqual([]);
  });
}

test(
  "the books agree after all of it",
  async () => {
    const differences = await inTransaction(fixture.deps.pool.db, async (tx) => {
      await tx.execute(sql`SET LOCAL statement_timeout = 0`);
      return listDifferences(tx);
    });
    expect(differences).toEqual([]);
  },
  SLOW_MS,
);
