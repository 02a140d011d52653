/**
 * What the application's role may do, table by table: what the program does, and nothing more. A table without a line is closed to
 * it; a test fails for such a table, and for a line without a table.
 *
 * Money is written by the functions of db/sql alone. They run as the owner of the tables (upgrade/apply-sql.ts), so the
 * application needs no right to write an account, a journal, an entry, a call or a settlement, and has none.
 */

type Privilege = "SELECT" | "INSERT" | "UPDATE" | "DELETE" | `UPDATE (${string})`;
type Privileges = readonly Privilege[];

const read: Privileges = ["SELECT"];
const all: Privileges = ["SELECT", "INSERT", "UPDATE", "DELETE"];
/** Rows are added and deleted, and only these columns of them changed. */
const edit = (columns: string): Privileges => ["SELECT", "INSERT", `UPDATE (${columns})`, "DELETE"];
/** The same, and rows stay. */
const keep = (columns: string): Privileges => ["SELECT", "INSERT", `UPDATE (${columns})`];

/** By the name of the table or view. */
export const tableGrants: Readonly<Record<string, Privileges>> = {
  // Money, and what proves it.
  accounts: read,
  calls: read,
  entries: read,
  exposure: read,
  journal: read,
  journal_seals: read,
  reconcile: read,
  session_counts: read,
  settlement_lines: read,
  settlements: read,
  tampered_rows: read,
  tampering: read,
  totals: read,
  webhook_events: read,
  wrong_rows: read,
  wrong_states: read,
  // Journals of another kind: they are only ever added to. A line about what was not done is refused.
  audit: ["SELECT", "INSERT"],
  // Only triggers write them.
  earlier_texts: read,
  session_log: read,
  // The game. Triggers hold its rules, and ask for an audit line of each change.
  blueprint_events: edit(
    `position, title, description, true_label, false_label, start_mode, offset_seconds, duration_seconds,
    resolve_within_seconds, min_wager_cents, max_wager_cents, auto_result, picture, explanation, host_note, updated_at`,
  ),
  blueprints: edit("name, description, defaults, updated_at"),
  // A trigger keeps those that have not ended. Functions write the limits.
  breaks: ["SELECT", "INSERT", "DELETE"],
  chargebacks: keep("state, updated_at"),
  deposit_limits: ["SELECT", "DELETE"],
  events: edit(
    `position, title, description, true_label, false_label, state, round, result, result_reason, pending_result,
    pending_reason, decided_at, decided_by_id, effective_at, min_wager_cents, max_wager_cents, start_mode, offset_seconds,
    duration_seconds, lead_seconds, resolve_within_seconds, auto_result, picture, explanation, host_note, published_at, opens_at, opened_at, closes_at,
    closed_at, resolve_by, resolved_at, next_transition, due_at, remaining_ms, schedule_version, version, fence, updated_at`,
  ),
  exclusions: ["SELECT", "INSERT", "DELETE"],
  kept_breaks: ["SELECT", "INSERT", "DELETE"],
  leaderboard_changes: ["SELECT", "INSERT", "DELETE"],
  payment_flags: keep("times_seen, seen_at, closed_at, closed_by, note"),
  payments: keep("checkout_url"),
  registrations: edit("display_name, team"),
  // The checks of the books compute both again from the calls.
  results: all,
  scores: all,
  seasons: edit("name, starts_at, ends_at"),
  sessions: edit(
    `name, description, state, active, settings, starts_at, started_at, start_lead_seconds, paused_at, stopped_at,
    before_stop, stage_link_generation, join_code, version, fence, updated_at`,
  ),
  // Only the triggers of calls and events change the pools.
  spots: edit("state, won, opened_at, closed_at, resolved_at"),
  // People, and what belongs to them. No row changes its user, and no account becomes a robot.
  access_tokens: edit("last_used_at, revoked_at"),
  audit_personal: ["SELECT", "INSERT", "DELETE"],
  blobs: edit("filename, content_type, metadata, stored_at, attached_at, discarded_at"),
  identities: ["SELECT", "INSERT", "DELETE"],
  invitation_uses: ["SELECT", "INSERT", "DELETE"],
  invitations: keep("uses, revoked_at"),
  known_browsers: edit("failed_attempts, signed_in_at"),
  messages: edit("client_id, body, deleted_at, approved_at"),
  mutes: edit("until, reason"),
  notifications: edit("read_at"),
  passkeys: edit("name, sign_count, last_used_at"),
  push_messages: edit("attempts, due_at, sent_at, failed_at, error"),
  // The browser of a subscription can be another player's later.
  push_subscriptions: edit(
    `user_id, sign_in_id, endpoint, p256dh, auth, session_live, results, last_success_at, failures, updated_at`,
  ),
  reminders: edit("sent_at"),
  removed_names: ["SELECT", "INSERT", "DELETE"],
  removed_players: ["SELECT", "INSERT", "DELETE"],
  session_hosts: ["SELECT", "INSERT", "DELETE"],
  shares: edit("expires_at, revoked_at, picture_blob_id"),
  stated_ages: edit("years"),
  sign_ins: edit("by_passkey, id_token, proven_at, failed_attempts, last_seen_at, ended_at, told_at"),
  tokens: edit("hash, email, expires_at, used_at, created_at"),
  user_roles: ["SELECT", "INSERT", "DELETE"],
  users: keep(
    `email, username, username_look, phone, password_hash, guest, avatar_blob_id, avatar, preferences, failed_attempts, locked_at,
    confirmed_at, confirm_by, deactivated_at, deleted_at, updated_at`,
  ),
  // What the processes need to run.
  book_checks: ["SELECT", "INSERT", "DELETE"],
  dry_runs: all,
  failing_rows: edit("attempts, reason, next_at"),
  idempotency_keys: edit("outcome"),
  mails: edit("attempts, due_at, sent_at, failed_at, error, kept"),
  outbox: edit("sent_at"),
  switched_off: ["SELECT", "INSERT", "DELETE"],
  troubles: edit("what, detail, cure, seen_at, ended_at, told_at"),
  webhook_deliveries: edit(
    "attempts, due_at, attempted_at, status, error, answer, took_ms, delivered_at, failed_at",
  ),
  webhooks: edit(
    "name, url, format, session_ids, kinds, secret_salt, previous_salt, previous_until, failing_since, disabled_at",
  ),
};

/** The functions of db/sql that the program calls by itself. All others are called by these and by triggers. */
export const functionGrants: readonly string[] = [
  "adjust",
  "apply_chargeback",
  "apply_payment",
  "cancel_call",
  "check_fence",
  "close_calls",
  "close_due_events",
  "close_events",
  "decide_at_once_max",
  "deposit_room",
  "destroy_call",
  "draw_lock_tokens",
  "event_gate",
  "game_now",
  "give_teams",
  "grant_max",
  "grant_play_money",
  "hash_sealed",
  "lock_class",
  "lock_for_calls",
  "lock_for_grant",
  "lock_for_merge",
  "lock_free_events",
  "lock_key",
  "lock_wallet",
  "merge_guest",
  "merge_winnings",
  "new_join_code",
  "open_wallet",
  "pay_settlement_part",
  "pay_small_settlements",
  "payouts",
  "payouts_with_cents",
  "place_gated_calls",
  "refund_active",
  "refund_at_once_max",
  "resolve_events",
  "seal_journals",
  "search_grams",
  "set_deposit_limit",
  "settle_event_calls",
  "settle_part_max",
  "settled_seal",
  "take_back_play_money",
  "take_message",
  "take_unused",
  "try_event_gate_shared",
  "unused_deposits",
  "update_scores",
  "was_unopposed",
  // Asked by triggers about who writes, so it runs as the one who does.
  "writes_directly",
];

/** The schemas beside `public` that the program reads, to know its database's release. */
export const readSchemas: readonly string[] = ["drizzle", "upgrade"];
