/** The kinds of moves that a player sees in the wallet. */
export const transactionKinds = [
  "grant",
  "deposit",
  "hold",
  "release",
  "settle",
  "refund",
  "correction",
  "adjustment",
] as const;
