// How the tables would be distributed over several Postgres servers: nearly everything belongs to a player.

/** On all servers (`reference`), on one (`local`), or by the hash of a column, with all other rows of the same player. */
export type Placement = "reference" | "local" | { by: string };

const byPlayer: Placement = { by: "user_id" };

/** Where each table would be. `check-keys.ts` compares its keys with it. */
export const distribution = new Map<string, Placement>([
  ["users", { by: "id" }],
  ...[
    "access_tokens",
    "accounts",
    "audit_personal",
    "calls",
    "entries",
    "exclusions",
    "idempotency_keys",
    "known_browsers",
    "mails",
    "messages",
    "mutes",
    "notifications",
    "passkeys",
    "payments",
    "push_subscriptions",
    "registrations",
    "results",
    "scores",
    "settlement_lines",
    "shares",
    "sign_ins",
    "tokens",
    "user_roles",
  ].map((table) => [table, byPlayer] as const),
  ...[
    "blobs",
    "blueprint_events",
    "blueprints",
    "events",
    "sessions",
    "settlements",
    "spots",
    "webhooks",
  ].map((table) => [table, "reference"] as const),
  ...[
    "audit",
    "book_checks",
    "chargebacks",
    "dry_runs",
    "earlier_texts",
    "journal",
    "journal_seals",
    "leaderboard_changes",
    "outbox",
    "payment_flags",
    "session_counts",
    "session_log",
    "totals",
    "webhook_deliveries",
    "webhook_events",
  ].map((table) => [table, "local"] as const),
]);
