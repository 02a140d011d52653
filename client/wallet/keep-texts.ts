/** The texts of what a guest keeps in an account. */

/** @param rank "12", "=2"; null without one. */
export const keep = (amount: string, rank: string | null) =>
  rank === null ? `Keep your ${amount}` : `Keep your ${amount} and rank ${rank}`;
