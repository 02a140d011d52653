/** A session receives the counts of its reactions at most this often, over all processes together. */
export const REACTIONS_EVERY_MS = 1_000;
