/** What admins turn off and on for the whole site. */
export const switchNames = ["registration", "guests", "payments", "chat", "uploads"] as const;
export type SwitchName = (typeof switchNames)[number];

/** Limits of an invitation to create an account. */
export const INVITATION_USES_MAX = 1_000;
export const INVITATION_DAYS_MAX = 90;
