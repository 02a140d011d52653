import { eventChanges, sessionChanges } from "./changes.ts";

/** How the messages of a webhook are written: as the cable's JSON, or for a chat. */
export const webhookFormats = ["json", "discord", "slack"] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** The kinds of messages that a webhook may choose, as `X-Called-It-Type` names them. */
export const webhookKinds = [
  ...eventChanges.map((change) => `Event/${change}` as const),
  ...sessionChanges.map((change) => `Session/${change}` as const),
  "Session/destroy" as const,
];
export type WebhookKind = (typeof webhookKinds)[number];
