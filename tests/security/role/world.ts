import type { DatabasePool } from "#db/client.ts";
import { sealJournals } from "#db/ledger/seal-journals.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { deposit } from "#tests/ledger/move-money.ts";
import { asApplication } from "#tests/support/application.ts";
import { buildCall, buildDraft, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

/** A show with players, money and a row in every table, and the connections of the application's role to it. */
export type World = {
  owner: DatabasePool;
  application: DatabasePool;
  /** Ids by which attacks name what they change. */
  ids: Record<
    | "ana"
    | "bob"
    | "admin"
    | "guest"
    | "session"
    | "draft"
    | "open"
    | "openCall"
    | "closed"
    | "resolved"
    | "unplayed",
    number
  >;
};

export async function buildWorld(): Promise<World> {
  const deps = await testDeps();
  const owner = deps.pool;
  const { id: session } = await buildRunningSession(deps);
  const idOf = async (balanceCents: number) => (await buildPlayer(deps, { balanceCents })).id;
  const [ana, bob, admin, guest] = [
    await idOf(10_000),
    await idOf(10_000),
    await idOf(0),
    await idOf(10_000),
  ];
  const openEvent = async () => (await buildEvent(deps, "open", { sessionId: session })).id;
  const [resolved, unplayed, open, closed] = [
    await openEvent(),
    await openEvent(),
    await openEvent(),
    await openEvent(),
  ];
  await buildCall(deps, { userId: ana, eventId: resolved });
  await buildCall(deps, { userId: bob, eventId: resolved, side: "false" });
  const openCall = await buildCall(deps, { userId: ana, eventId: open });
  for (const userId of [ana, guest]) await buildCall(deps, { userId, eventId: closed });
  for (const eventId of [resolved, closed]) await closeEvent(deps, { eventId, actor: null });
  await resolveAndPay(deps, { eventId: resolved, actor: null, result: "true" });
  const { id: draft } = await buildDraft(deps, { sessionId: session });
  await deposit(owner, bob, 5_000);
  const ids = { ana, bob, admin, guest, session, draft, open, openCall, closed, resolved, unplayed };
  for (const statement of rowsOf(ids)) await owner.sql.unsafe(statement);
  await sealJournals(owner.db, { rowsMax: 1_000 });
  return { owner, application: asApplication(deps).pool, ids };
}

/** A row of each table that the fixtures of the ledger leave empty. */
const rowsOf = ({ ana, bob, admin, guest, session, draft, openCall }: World["ids"]): string[] => [
  `UPDATE users SET password_hash = 'secret'`,
  `UPDATE users SET guest = true, email = NULL, password_hash = NULL WHERE id = ${guest}`,
  `INSERT INTO user_roles (user_id, role) VALUES (${admin}, 'admin')`,
  `INSERT INTO audit (actor_id, action, subject_type, subject_id, after) VALUES (NULL, 'change_roles', 'user', ${admin}, '{"roles": ["admin"]}')`,
  `INSERT INTO audit_personal (audit_id, user_id, before, after) SELECT max(id), ${ana}, '{}', '{}' FROM audit`,
  `INSERT INTO sign_ins (user_id, csrf_secret, expires_at, ended_at) VALUES (${ana}, 's', now() + interval '1 day', NULL),
    (${bob}, 's', now() + interval '1 day', now())`,
  `INSERT INTO known_browsers (user_id, browser_id) VALUES (${ana}, gen_random_uuid())`,
  `INSERT INTO access_tokens (user_id, name, scope, secret_hash, hint, by_passkey, expires_at, revoked_at)
    VALUES (${admin}, 'Old', 'read', 'old', 'hint', false, now() + interval '1 day', now()),
      (${admin}, 'Bot', 'read', 'new', 'hint', false, now() + interval '1 day', NULL)`,
  `INSERT INTO passkeys (user_id, credential_id, public_key, sign_count, name) VALUES (${ana}, 'id', 'key', 0, 'Phone')`,
  `INSERT INTO identities (user_id, issuer, subject) VALUES (${ana}, 'https://id.example.test', 'ana')`,
  `INSERT INTO invitations (secret_hash, made_by_id, uses_max, uses, expires_at) VALUES ('hash', ${admin}, 2, 1, now() + interval '1 day')`,
  `INSERT INTO invitation_uses (user_id, invitation_id) SELECT ${ana}, id FROM invitations`,
  `INSERT INTO switched_off (name) VALUES ('uploads')`,
  `INSERT INTO tokens (user_id, kind, hash, email, expires_at) VALUES (${ana}, 'unlock', 'h', 'ana@example.test', now() + interval '1 day')`,
  `INSERT INTO mails (kind, recipient, user_id) VALUES ('password_changed', 'ana@example.test', ${ana})`,
  `INSERT INTO removed_names (hash) VALUES ('hash')`,
  `INSERT INTO removed_players (session_id, user_id, join_code) VALUES (${session}, ${guest}, 'ABC234')`,
  `INSERT INTO session_hosts (session_id, user_id, made_by_id) VALUES (${session}, ${bob}, ${admin})`,
  `INSERT INTO audit (actor_id, action, subject_type, subject_id, session_id) VALUES (${admin}, 'add_session_host', 'user', ${bob}, ${session})`,
  `INSERT INTO reminders (session_id, user_id) VALUES (${session}, ${ana})`,
  `INSERT INTO notifications (user_id, kind, title) VALUES (${ana}, 'security', 'A passkey was added')`,
  `INSERT INTO push_subscriptions (user_id, sign_in_id, endpoint, p256dh, auth, session_live, results)
    SELECT user_id, id, 'https://push.example.test', 'k', 'a', true, true FROM sign_ins WHERE user_id = ${ana}`,
  `INSERT INTO push_messages (subscription_id, about, about_id, service) SELECT id, 'event', 1, 'https://push.example.test' FROM push_subscriptions`,
  `INSERT INTO blobs (key, filename, content_type, byte_size, checksum, uploaded_by_id) VALUES ('k', 'me.png', 'image/png', 1, 's', ${ana})`,
  `INSERT INTO shares (user_id, kind, call_id, token, time_zone, revoked_at) VALUES (${ana}, 'call', ${openCall}, 't', 'UTC', now()),
    (${ana}, 'call', ${openCall}, 'u', 'UTC', NULL)`,
  `INSERT INTO messages (session_id, user_id, client_id, body) VALUES (${session}, ${ana}, 'c', 'Hello')`,
  `INSERT INTO mutes (session_id, user_id, until, reason) VALUES (${session}, ${bob}, now() + interval '1 hour', 'Shouts')`,
  `INSERT INTO exclusions (user_id, session_id, reason, excluded_by_id) VALUES (${bob}, ${session}, 'Cheats', ${admin})`,
  `INSERT INTO breaks (user_id, period) VALUES (${guest}, 'month')`,
  `INSERT INTO kept_breaks (mail_hash, salt, period, ends_at) VALUES ('hash', 'salt', 'month', now() + interval '30 days')`,
  `INSERT INTO stated_ages (user_id, years) VALUES (${ana}, 18)`,
  `SELECT set_deposit_limit(${ana}, 7, 5000)`,
  `INSERT INTO blueprints (name) VALUES ('Plan')`,
  `INSERT INTO blueprint_events (blueprint_id, position, title) SELECT id, 1, 'Will it?' FROM blueprints`,
  `INSERT INTO dry_runs (blueprint_id, actor_id, plan, options) SELECT id, ${admin}, '{}', '{}' FROM blueprints`,
  `INSERT INTO webhooks (name, url, secret_salt) VALUES ('Hook', 'https://example.test', 's')`,
  `INSERT INTO webhook_deliveries (webhook_id, fact_id, type, body) SELECT id, 1, 'Event/resolve', '{}' FROM webhooks`,
  `INSERT INTO idempotency_keys (user_id, purpose, key, request_hash) VALUES (${ana}, 'top-up', 'k', 'h')`,
  `INSERT INTO seasons (slug, name, starts_at, ends_at) VALUES ('winter', 'Winter', now(), now() + interval '90 days')`,
  `INSERT INTO leaderboard_changes (session_id) VALUES (${session})`,
  `INSERT INTO failing_rows (kind, row_id, reason, next_at) VALUES ('fact', 1, 'Broken', now())`,
  `INSERT INTO troubles (part, process, what, cure) VALUES ('redis', 'web-1', 'redis away', 'Start Redis.')`,
  `INSERT INTO book_checks (duration_ms, findings, differences_count) VALUES (1, '[]', 1)`,
  `INSERT INTO payments (user_id, provider, reference, amount_cents, currency) VALUES (${ana}, 'test', 'pending', 500, 'USD')`,
  `INSERT INTO webhook_events (provider, provider_event_id, payload_sha256) VALUES ('test', 'm0', '')`,
  `INSERT INTO payment_flags (provider, message_id, reference, code, detail, said) VALUES ('test', 'm', 'r', 'wrong_amount', 'd', '{}')`,
  `INSERT INTO chargebacks (payment_id, cause, amount_cents, actor_id, reason)
    SELECT id, 'refund', 100, ${admin}, 'Asked' FROM payments WHERE state = 'succeeded'`,
  `INSERT INTO earlier_texts (event_id, last_call_id, title, true_label, false_label) VALUES (${draft}, 0, 'Will it?', 'Yes', 'No')`,
];
