/** The results of an event; "void" refunds everybody. */
export const results = ["true", "false", "void"] as const;
export type EventResult = (typeof results)[number];
