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
const append: Privileges = ["SELECT", "INSERT"];
const edit: Privileges = ["SELECT", "INSERT", "UPDATE"];
const all: Privileges = ["SELECT", "INSERT", "UPDATE", "DELETE"];

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
  tampering: read,
  totals: read,
  webhook_events: read,
  // Journals of another kind: they are only ever added to.
  audit: append,
  // Only triggers write them.
  earlier_texts: read,
  session_log: read,
  // The game. Triggers hold its rules.
  blueprint_events: all,
  blueprints: all,
  chargebacks: edit,
  events: all,
  exclusions: ["SELECT", "INSERT", "DELETE"],
  leaderboard_changes: ["SELECT", "INSERT", "DELETE"],
  payment_flags: edit,
  payments: ["SELECT", "INSERT", "UPDATE (checkout_url)"],
  registrations: all,
  results: all,
  scores: all,
  sessions: all,
  // Only the triggers of calls and events change the pools.
  spots: ["SELECT", "INSERT", "UPDATE (state, won, opened_at, closed_at, resolved_at)", "DELETE"],
  // People, and what belongs to them.
  access_tokens: all,
  audit_personal: all,
  blobs: all,
  known_browsers: all,
  messages: all,
  mutes: all,
  notifications: all,
  passkeys: all,
  push_subscriptions: all,
  shares: all,
  sign_ins: all,
  tokens: all,
  user_roles: ["SELECT", "INSERT", "DELETE"],
  users: edit,
  // What the processes need to run.
  book_checks: ["SELECT", "INSERT", "DELETE"],
  dry_runs: all,
  idempotency_keys: all,
  mails: all,
  outbox: ["SELECT", "INSERT", "UPDATE (sent_at)", "DELETE"],
  webhook_deliveries: all,
  webhooks: all,
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
  "destroy_call",
  "event_gate",
  "game_now",
  "grant_max",
  "grant_play_money",
  "hash_sealed",
  "lock_class",
  "lock_for_calls",
  "lock_for_grant",
  "lock_free_events",
  "lock_key",
  "lock_wallet",
  "open_wallet",
  "pay_settlement_part",
  "pay_small_settlements",
  "payouts",
  "place_calls",
  "place_locked_calls",
  "refund_active",
  "refund_at_once_max",
  "resolve_events",
  "seal_journals",
  "search_grams",
  "settle_event_calls",
  "settle_part_max",
  "settled_seal",
  "take_back_play_money",
  "take_message",
  "try_event_gate_shared",
  "update_scores",
];

/** The schemas beside `public` that the program reads, to know its database's release. */
export const readSchemas: readonly string[] = ["drizzle", "upgrade"];
