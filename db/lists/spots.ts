export const sides = ["true", "false"] as const;
export type Side = (typeof sides)[number];

export const spotStates = ["open", "closed", "soft_destroyed"] as const;
export type SpotState = (typeof spotStates)[number];
