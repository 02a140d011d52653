/** How the messages of a webhook are written: as the cable's JSON, or for a chat. */
export const webhookFormats = ["json", "discord", "slack"] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
