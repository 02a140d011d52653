/** The kinds of business operations that the ledger books. */
export const journalKinds = [
  "grant",
  "deposit",
  "withdrawal",
  "settle",
  "resettle",
  "chargeback",
  "adjust",
  "repay",
  "merge",
] as const;
/** The kinds that a settlement books, directly or in parts. */
export const settlingKinds = ["settle", "resettle"] as const;
export const explainedKinds = ["grant", "resettle", "adjust"] as const;
