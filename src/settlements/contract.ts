export const results = ["true", "false", "void"] as const;
export type EventResult = (typeof results)[number];
