/**
 * What a player shares: a call as it was placed, a call with its result, or the player's own session. `call` and `result` name a
 * call, `session` names a session.
 */
export const shareKinds = ["call", "result", "session"] as const;
export type ShareKind = (typeof shareKinds)[number];
