import { type Attack, line } from "./attack.ts";

const pay = (cents: number) => `SELECT apply_payment('test', 'mine', 'succeeded', ${cents}, 'USD', NULL)`;
const newPayment = (user: string, cents: number) =>
  `INSERT INTO payments (user_id, provider, reference, amount_cents, currency) VALUES (${user}, 'test', 'mine', ${cents}, 'USD')`;

export const moneyAttacks: readonly Attack[] = [
  {
    name: "mint by a payment of five million dollars",
    statements: [newPayment("@ana", 500_000_000), pay(500_000_000)],
  },
  {
    name: "mint by a payment that no provider has sent a message about",
    statements: [newPayment("@ana", 50_000), pay(50_000)],
  },
  {
    name: "end another's pending payment without a message",
    statements: ["SELECT apply_payment('test', 'pending', 'succeeded', 500, 'USD', NULL)"],
  },
  {
    name: "adjust a wallet without an audit line",
    statements: [`SELECT adjust(@ana, 500, 'mine', @admin, 'Mine')`],
    found: "adjustments that no admin has made",
  },
  {
    name: "adjust by more than an admin can",
    statements: [`SELECT adjust(@ana, 1000001, 'mine', @admin, 'Mine')`],
  },
  {
    name: "adjust the own wallet with an audit line",
    statements: [
      `SELECT adjust(@admin, 500, 'mine', @admin, 'Mine')`,
      line("@admin", {
        action: "adjust_wallet",
        type: "user",
        subject: "@admin",
        after: { amountCents: 500 },
      }),
    ],
    found: "adjustments that no admin has made",
  },
  {
    name: "merge a guest into an account without an audit line",
    statements: [
      "INSERT INTO users (username, guest) VALUES ('mine', true)",
      "SELECT open_wallet(id) FROM users WHERE username = 'mine'",
      "SELECT merge_guest(id, @ana, @admin) FROM users WHERE username = 'mine'",
    ],
    found: "merges of other money than a guest has won",
  },
  {
    name: "merge a guest with open calls",
    statements: [`SELECT merge_guest(@guest, @bob, @bob)`],
  },
  {
    name: "merge a guest into an account by hand",
    statements: [`UPDATE users SET merged_into = @ana WHERE id = @guest`],
  },
  {
    name: "top up a wallet that has money",
    statements: [
      `SELECT grant_play_money(@ana, 1000, format('top-up-%s-%s', @ana, current_date), NULL, 'Mine')`,
    ],
  },
  {
    name: "top up twice a day by another notation of the day",
    statements: [
      "SET LOCAL DateStyle = 'German'",
      `SELECT grant_play_money(@admin, 1000, format('top-up-%s-%s', @admin, current_date), NULL, 'Mine')`,
    ],
  },
  {
    name: "give a player the allowance of robots",
    statements: [`SELECT grant_play_money(@ana, 5000, 'robot-@ana-1-1', NULL, 'Mine')`],
  },
  {
    name: "give a player the house's dollar without a call",
    statements: [`SELECT grant_play_money(@ana, 100, 'house-@ana-1', NULL, 'Mine')`],
  },
  { name: "make a robot", statements: ["INSERT INTO users (username, robot) VALUES ('robot', true)"] },
  { name: "make a player a robot", statements: [`UPDATE users SET robot = true WHERE id = @ana`] },
  {
    name: "take back the start of an active player",
    statements: [`SELECT take_back_play_money(@ana, 'Mine')`],
  },
  {
    name: "charge back more than was paid",
    statements: [
      "SELECT apply_chargeback('test', (SELECT reference FROM payments WHERE state = 'succeeded'), 'x', NULL, 'refund', 'taken', 5001, 'USD')",
    ],
  },
  {
    name: "ask the provider for a refund in an admin's name",
    statements: [
      `INSERT INTO chargebacks (payment_id, cause, amount_cents, actor_id, reason)
        SELECT id, 'refund', 100, @admin, 'Mine' FROM payments WHERE state = 'succeeded'`,
    ],
  },
  {
    name: "close the flag of a payment that does not match",
    statements: ["UPDATE payment_flags SET closed_at = now()"],
    found: "payment flags closed by nobody",
  },
  {
    name: "close it in an admin's name",
    statements: [`UPDATE payment_flags SET closed_at = now(), closed_by = @admin, note = 'Fine'`],
  },
];
