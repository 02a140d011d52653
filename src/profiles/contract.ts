/** How many of the newest calls a profile carries; GET /api/v1/calls has the rest. */
export const OWN_CALLS_MAX = 50;

/** How many users a search lists at most, in all of its pages. Finding more would read all users. */
export const SEARCH_FOUND_MAX = 1_000;
