/** How many of the newest calls a user's own answer carries; the rest is behind GET /api/v1/calls. */
export const OWN_CALLS_MAX = 50;
