import { sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Filled } from "./fill-growth.ts";

/** Audit entries and mails of each filled user, and so on: a row of each kind, or this many. */
const PER_USER = 2;

/**
 * Fills the tables that grow beside the game, with rows of each filled user: audit, session log, chat, mails, tokens, payments that
 * were never paid, and so on. All are from the last hour, so no periodic task deletes them.
 */
export async function fillRecords({ pool }: Pick<Deps, "pool">, filled: Filled): Promise<void> {
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
