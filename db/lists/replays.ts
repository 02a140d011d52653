/**
 * What an entry of a session's log is about: the session, one of its events, scores on its leaderboard, a player's exclusion from
 * leaderboards, or whether a player is a guest.
 */
export const logKinds = ["session", "event", "scores", "exclusion", "guest"] as const;
