export const notificationKinds = [
  "result",
  "refund",
  "correction",
  "session_live",
  "payment",
  "announcement",
  "security",
  "reminder",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];
