/** The kinds of records that an audit entry can be about. */
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
  "access_token",
  "webhook",
  "season",
  "process",
  "switch",
  "invitation",
] as const;
export type AuditSubject = (typeof auditSubjects)[number];
