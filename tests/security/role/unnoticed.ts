/**
 * What the application's role may do so that neither a trigger refuses nor a check of the books finds it, each with its reason. It is
 * what the program does all day for the people who ask for it; none of it is money, a result, a role, a password or evidence.
 */

const plans = "plans of shows: no event that runs is read from them";
const own = "the person's own record, which only its reader sees";
const processes = "the processes' own records: what they lose is done again";
const asked =
  "done when its user asks for it; the cookie and the secrets are signed with a key that the database does not have";

/** The reason of each of these columns. */
const free = (reason: string, columns: string) =>
  Object.fromEntries(columns.split(/\s+/).map((column) => [column, reason]));

/** By table and column. A column that is not here is refused, or found. */
export const freeColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  access_tokens: { last_used_at: asked, revoked_at: "revoked for good" },
  blobs: free(own, "filename content_type metadata stored_at attached_at discarded_at"),
  blueprint_events: free(
    plans,
    `position title description explanation host_note true_label false_label start_mode offset_seconds duration_seconds resolve_within_seconds
    min_wager_cents max_wager_cents auto_result updated_at`,
  ),
  blueprints: free(plans, "name description defaults updated_at"),
  chargebacks: {
    state: "refused only: the provider's later message still takes and returns the money",
    updated_at: processes,
  },
  dry_runs: free(plans, "actor_id plan options state events_done calls_count attempt moved_at created_at"),
  failing_rows: free(processes, "attempts reason next_at"),
  idempotency_keys: { outcome: "what a repeated request is answered; the ledger has keys of its own" },
  known_browsers: free(asked, "failed_attempts signed_in_at"),
  mails: {
    ...free(processes, "attempts due_at error kept"),
    sent_at: "the worker says what it has sent; the recipient and the kind stay",
    failed_at: "the worker says what the mail server has refused",
  },
  messages: free(
    "chat: its author or an admin removes it, or a host approves it, which the audit says",
    "client_id body deleted_at approved_at",
  ),
  stated_ages: { years: "what a player has said, once: another age is asked for again" },
  notifications: { read_at: own },
  outbox: {
    sent_at: "the relay says what it has broadcast, once; a page proves its state when it is loaded",
  },
  passkeys: { name: own, sign_count: asked, last_used_at: asked },
  payment_flags: free(processes, "times_seen seen_at"),
  payments: { checkout_url: "where the provider takes the payment, before it is paid" },
  push_messages: free(processes, "attempts due_at sent_at failed_at error"),
  push_subscriptions: {
    ...free(asked, "user_id endpoint p256dh auth session_live results"),
    ...free(processes, "last_success_at failures updated_at"),
  },
  reminders: { sent_at: "the worker says what it has sent; it is sent again, or not" },
  registrations: {
    display_name: "the name on the leaderboard, which its player changes",
    team: "the team, which its player chooses and a host changes",
  },
  shares: {
    ...free(asked, "expires_at revoked_at"),
    picture_blob_id: "which picture a link shows: the worker draws and stores it again",
  },
  sign_ins: free(asked, "by_passkey id_token proven_at failed_attempts last_seen_at ended_at told_at"),
  tokens: free(asked, "hash email expires_at used_at created_at"),
  users: free(
    asked,
    `username username_look phone avatar_blob_id avatar preferences updated_at failed_attempts locked_at confirmed_at
    confirm_by`,
  ),
  webhook_deliveries: free(
    processes,
    "attempts due_at attempted_at status error answer took_ms delivered_at failed_at",
  ),
  troubles: free(processes, "what detail cure seen_at ended_at told_at"),
  webhooks: { failing_since: processes },
};

/** By table: what may be deleted. */
export const freeDeletes: Readonly<Record<string, string>> = {
  access_tokens: "it can do nothing any more; the audit has made and revoked it",
  blobs: own,
  blueprint_events: plans,
  blueprints: plans,
  dry_runs: plans,
  failing_rows: processes,
  idempotency_keys: "a request of yesterday is done again; the ledger has keys of its own",
  invitation_uses: "who came by which link; the audit says it too",
  known_browsers: asked,
  leaderboard_changes: "versions of a cache",
  mails: "what is no notice: a link that was asked for is asked for again",
  messages: "chat",
  mutes: "it ends by itself",
  notifications: own,
  push_messages: processes,
  push_subscriptions: asked,
  reminders: asked,
  removed_names: "a name is refused, or taken again; the audit says what a host has taken away",
  removed_players: "a player may come back, or is kept out; the audit says whom a host has removed",
  registrations: "the next call registers its player again",
  shares: asked,
  sign_ins: asked,
  tokens: asked,
  troubles: processes,
  webhook_deliveries: processes,
};

/** By table: what may be added. */
export const freeInserts: Readonly<Record<string, string>> = {
  ...freeDeletes,
  audit_personal: "it belongs to an audit line, which has its own rule",
  book_checks: "it is of now, and the next check stands above it",
  outbox: "a fact is sent twice: it says only what to read again",
  payment_flags: "an admin looks at it and closes it",
  kept_breaks: "nobody has an address with this hash, or it keeps a longer break",
  payments: "it is pending until a message of its provider ends it",
  users: "a person without money, role or robot",
};

/** The functions that no attack is written for: what each does for whom. */
export const freeFunctions: Readonly<Record<string, string>> = {
  cancel_call: "takes a player's own call back, in time; the player sees it",
  decide_at_once_max: "a constant",
  draw_lock_tokens: "numbers of a sequence, which no row has yet",
  event_gate: "a lock until the transaction ends, at most 5 s",
  deposit_room: "reads",
  game_now: "the clock",
  give_teams: "a team for who is in none, as a player could choose it",
  grant_max: "reads",
  hash_sealed: "reads",
  lock_class: "reads",
  lock_for_calls: "locks",
  lock_for_grant: "locks",
  lock_for_merge: "locks",
  lock_free_events: "locks",
  lock_key: "reads",
  lock_wallet: "locks",
  merge_winnings: "moves to an account what its own guest has won",
  new_join_code: "letters that no row has yet",
  open_wallet: "an empty wallet",
  pay_settlement_part: "pays what is decided",
  pay_small_settlements: "pays what is decided",
  payouts: "reads",
  payouts_with_cents: "reads",
  refund_at_once_max: "a constant",
  seal_journals: "seals earlier what is sealed anyway",
  search_grams: "reads",
  settle_part_max: "a constant",
  set_deposit_limit:
    "lowers a player's limit, or notes a higher one that holds nowhere before a day; the player sees both",
  settled_seal: "reads",
  take_unused:
    "what a player has not used goes back to the player, who sees it; the provider is asked for it by the worker",
  take_message:
    "a message that the provider sends later under this id is not applied twice; the ids are the provider's secret",
  try_event_gate_shared: "a lock",
  update_scores: "computes from the calls",
  unused_deposits: "reads",
  was_unopposed: "reads",
  writes_directly: "reads",
};
