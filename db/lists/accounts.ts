/** The kinds of accounts, players' first: a player's wallet and what the player owes, then the house's own. */
export const accountKinds = ["wallet", "receivable", "house", "promo", "external", "clearing"] as const;
export type AccountKind = (typeof accountKinds)[number];
/** The kinds that belong to a player; there is one account of each other kind. */
export const playerAccountKinds = ["wallet", "receivable"] as const;
