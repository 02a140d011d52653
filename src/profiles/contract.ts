/** How many of the newest calls a profile carries; GET /api/v1/calls has the rest. */
export const OWN_CALLS_MAX = 50;
/** The seasons among the records of a player: the newest ones. */
export const RECORD_SEASONS_MAX = 8;

/** How many users a search, a role or the last visits list at most, in all pages. Finding more would read all users. */
export const SEARCH_FOUND_MAX = 1_000;

/** The orders of the list of users. The first is the default. */
export const userOrders = ["newest", "name", "last_visit"] as const;
export type UserOrder = (typeof userOrders)[number];

/** Whom the list of users can be limited to: those with a role, those with an account, those without one. */
export const userGroups = ["admin", "operator", "account", "guest"] as const;
