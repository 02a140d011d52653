/** The kinds of things that an audit entry is about. */
export const auditSubjects = [
  "event",
  "session",
  "blueprint",
  "blueprint_event",
  "user",
  "payment",
  "payment_flag",
  "message",
  "leaderboard",
] as const;
export type AuditSubject = (typeof auditSubjects)[number];
