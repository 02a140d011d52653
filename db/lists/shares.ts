/**
 * What a player shares: a call as it was placed, a call with its result, the player's own session, or the player's records. `call` and
 * `result` name a call, `session` names a session, `records` names the player.
 */
export const shareKinds = ["call", "result", "session", "records"] as const;
export type ShareKind = (typeof shareKinds)[number];
