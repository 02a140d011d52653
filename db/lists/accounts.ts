/**
 * The kinds of accounts. Each player has a wallet and a receivable (the player's debt, zero or below). The system has one of each
 * other kind: house (manual corrections), promo (play money), external (payments) and clearing (money that a large settlement
 * has taken from some players and not yet paid to others, or the reverse; zero when nothing is being paid).
 */
export const accountKinds = ["wallet", "receivable", "house", "promo", "external", "clearing"] as const;
export const playerAccountKinds = ["wallet", "receivable"] as const;
