/** What a show runs on, in the order of the list. */
export const healthParts = ["database", "redis", "queues", "feed"] as const;
export type HealthPart = (typeof healthParts)[number];

/** `slow`: it works, and the show may be late. */
export const partStates = ["ok", "slow", "away"] as const;
export type PartState = (typeof partStates)[number];

export const PLAYERS_FOUND_MAX = 6;
