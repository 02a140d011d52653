import { pgSequence } from "drizzle-orm/pg-core";

/**
 * Numbers the holders of locks, in the order in which they have taken them (db/sql/functions/draw-lock-tokens.sql). It begins at the
 * time of its migration in microseconds, above all tokens that the former release has taken from the clock of Redis.
 */
export const lockTokens = pgSequence("lock_tokens");
