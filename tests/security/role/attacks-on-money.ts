import { type Attacks, found, line, refused } from "./attack.ts";

const pay = (cents: number) => `SELECT apply_payment('test', 'mine', 'succeeded', ${cents}, 'USD', NULL)`;
const newPayment = (user: string, cents: number) =>
  `INSERT INTO payments (user_id, provider, reference, amount_cents, currency) VALUES (${user}, 'test', 'mine', ${cents}, 'USD')`;

export const moneyAttacks: Attacks = {
  "mint by a payment of five million dollars": refused(newPayment("@ana", 500_000_000), pay(500_000_000)),
  "mint by a payment that no provider has sent a message about": refused(
    newPayment("@ana", 50_000),
    pay(50_000),
  ),
  "end another's pending payment without a message": refused(
    "SELECT apply_payment('test', 'pending', 'succeeded', 500, 'USD', NULL)",
  ),
  "adjust a wallet without an audit line": found(
    "adjustments that no admin has made",
    `SELECT adjust(@ana, 500, 'mine', @admin, 'Mine')`,
  ),
  "adjust by more than an admin can": refused(`SELECT adjust(@ana, 1000001, 'mine', @admin, 'Mine')`),
  "adjust the own wallet with an audit line": found(
    "adjustments that no admin has made",
    `SELECT adjust(@admin, 500, 'mine', @admin, 'Mine')`,
    line("@admin", { action: "adjust_wallet", type: "user", subject: "@admin", after: { amountCents: 500 } }),
  ),
  "merge a guest into an account without an audit line": found(
    "merges of other money than a guest has won",
    "INSERT INTO users (username, guest) VALUES ('mine', true)",
    "SELECT open_wallet(id) FROM users WHERE username = 'mine'",
    "SELECT merge_guest(id, @ana, @admin) FROM users WHERE username = 'mine'",
  ),
  "merge a guest with open calls": refused(`SELECT merge_guest(@guest, @bob, @bob)`),
  "merge a guest into an account by hand": refused(`UPDATE users SET merged_into = @ana WHERE id = @guest`),
  "top up a wallet that has money": refused(
    `SELECT grant_play_money(@ana, 1000, format('top-up-%s-%s', @ana, current_date), NULL, 'Mine')`,
  ),
  "top up twice a day by another notation of the day": refused(
    "SET LOCAL DateStyle = 'German'",
    `SELECT grant_play_money(@admin, 1000, format('top-up-%s-%s', @admin, current_date), NULL, 'Mine')`,
  ),
  "give a player the allowance of robots": refused(
    `SELECT grant_play_money(@ana, 5000, 'robot-@ana-1-1', NULL, 'Mine')`,
  ),
  "give a player the house's dollar without a call": refused(
    `SELECT grant_play_money(@ana, 100, 'house-@ana-1', NULL, 'Mine')`,
  ),
  "make a robot": refused("INSERT INTO users (username, robot) VALUES ('robot', true)"),
  "take back the start of an active player": refused(`SELECT take_back_play_money(@ana, 'Mine')`),
  "charge back more than was paid": refused(
    "SELECT apply_chargeback('test', (SELECT reference FROM payments WHERE state = 'succeeded'), 'x', NULL, 'refund', 'taken', 5001, 'USD')",
  ),
  "begin a break that ends at once in front of a longer one": refused(
    "INSERT INTO breaks (user_id, period, ends_at) VALUES (@guest, 'day', now() + interval '1 second')",
  ),
  "lengthen a break in an admin's name without an audit line": refused(
    "INSERT INTO breaks (user_id, period, actor_id, reason) VALUES (@guest, 'year', @admin, 'Mine')",
  ),
  "begin a checkout on a break": refused(
    "INSERT INTO payments (user_id, provider, reference, amount_cents, currency) VALUES (@guest, 'test', 'mine', 100, 'USD')",
  ),
  "end a break by deleting its account and taking that back": refused(
    "UPDATE users SET deleted_at = now() WHERE id = @guest",
    line("@guest", { action: "delete_account", type: "user", subject: "@guest", after: { deleted: true } }),
    "DELETE FROM breaks WHERE user_id = @guest",
    "UPDATE users SET deleted_at = NULL WHERE id = @guest",
  ),
  "end the break of an account that stays": refused("DELETE FROM breaks WHERE user_id = @guest"),
  "shorten the break of a deleted account": refused("UPDATE kept_breaks SET ends_at = now()"),
  "raise the limit of a player and pay in more than it": refused(
    "SELECT set_deposit_limit(@ana, 7, 1000000)",
    "SELECT set_deposit_limit(@ana, 7, 1000000)",
    newPayment("@ana", 5_001),
  ),
  "ask the provider for a refund in an admin's name":
    refused(`INSERT INTO chargebacks (payment_id, cause, amount_cents, actor_id, reason)
        SELECT id, 'refund', 100, @admin, 'Mine' FROM payments WHERE state = 'succeeded'`),
  "close it in an admin's name": refused(
    `UPDATE payment_flags SET closed_at = now(), closed_by = @admin, note = 'Fine'`,
  ),
};
