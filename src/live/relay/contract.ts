export const eventChanges = [
  "publish_event",
  "open_event",
  "close_event",
  "resolve",
  "pay",
  "reset",
  "hide",
  "show",
  "update",
  "destroy",
] as const;
export type EventChange = (typeof eventChanges)[number];

export const sessionChanges = [
  "activate",
  "deactivate",
  "start",
  "stop",
  "pause",
  "resume",
  "update",
] as const;
