// What the cable and webhooks tell: how an event has changed, and a session.

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
  "take_back_start",
  "take_back_stop",
  "update",
] as const;
