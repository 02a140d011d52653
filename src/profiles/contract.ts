/** How many of the newest calls a profile carries; GET /api/v1/calls has the rest. */
export const OWN_CALLS_MAX = 50;
