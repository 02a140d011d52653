/**
 * Functions that table defaults call. They are created before the tables and replaced in place, because the tables depend on
 * them. A new signature needs a migration.
 */
export const beforeTables = ["functions/game-now"] as const;

/**
 * All other functions, trigger sets and views, in the order of creation: a trigger after its function, a view after the views
 * that it reads. A test fails if a file is missing here.
 */
export const afterTables = [
  "functions/adjust",
  "functions/apply-chargeback",
  "functions/apply-payment",
  "functions/book",
  "functions/cancel-call",
  "functions/check-fence",
  "functions/close-calls",
  "functions/destroy-call",
  "functions/event-gate",
  "functions/event-gate-shared",
  "functions/grant-play-money",
  "functions/judge-calls",
  "functions/judge-calls-one-by-one",
  "functions/lock-free-events",
  "functions/open-wallet",
  "functions/pay-settlement-part",
  "functions/payouts",
  "functions/place-calls",
  "functions/post-entries",
  "functions/refund-active",
  "functions/refund-at-once-max",
  "functions/refuse",
  "functions/require-read-committed",
  "functions/settle-event-calls",
  "functions/settle-part-max",
  "functions/take-back-play-money",
  "functions/take-message",
  "triggers/deny-change",
  "triggers/deny-start",
  "triggers/deny-transition",
  "triggers/accounts-triggers",
  "triggers/apply-entries",
  "triggers/begin-round",
  "triggers/calls-triggers",
  "triggers/chargebacks-triggers",
  "triggers/check-event-settled",
  "triggers/check-journal",
  "triggers/check-lines-sealed",
  "triggers/check-settlement",
  "triggers/count-changed-calls",
  "triggers/count-new-calls",
  "triggers/events-triggers",
  "triggers/guard-event",
  "triggers/guard-hidden-spot",
  "triggers/payments-triggers",
  "triggers/raise-version",
  "triggers/raise-version-of-user",
  "triggers/sessions-triggers",
  "triggers/settlements-triggers",
  "triggers/spots-triggers",
  "views/exposure",
  "views/reconcile",
] as const;
