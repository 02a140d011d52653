/** How many of the newest calls a profile carries; GET /api/v1/calls has the rest. */
export const OWN_CALLS_MAX = 50;

/** The longest side of an avatar's picture, in pixels. */
export const PICTURE_SIDE_MAX = 10_000;
