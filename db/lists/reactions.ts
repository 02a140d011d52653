/** What players can react with. The names are words, so that screen readers can read them. */
export const reactionKinds = ["love", "fire", "laugh", "wow", "ouch"] as const;
export type ReactionKind = (typeof reactionKinds)[number];
