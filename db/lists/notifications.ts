export const notificationKinds = [
  "result",
  "refund",
  "correction",
  "session_live",
  "payment",
  "announcement",
  "security",
  "reminder",
  "spending",
] as const;
export const pushSubjects = ["session", "event", "notification"] as const;
export type NotificationKind = (typeof notificationKinds)[number];
