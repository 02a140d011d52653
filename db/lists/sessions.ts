export const sessionStates = ["pending", "running", "paused", "stopped"] as const;
export type SessionState = (typeof sessionStates)[number];

export const registrationStates = ["joined"] as const;
