export const notificationKinds = [
  "result",
  "refund",
  "correction",
  "session_live",
  "payment",
  "announcement",
  "security",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];
