import * as v from "valibot";
import { SESSION_SLUG_LENGTH_MAX } from "#db/lists/session-address.ts";
import { webhookFormats, webhookKinds } from "#db/lists/webhooks.ts";
import { dateField, listMeta, moment, rowId, textLine } from "#src/http/schemas.ts";
import {
  deliveryStates,
  WEBHOOK_NAME_LENGTH_MAX,
  WEBHOOK_SESSIONS_MAX,
  WEBHOOK_URL_LENGTH_MAX,
} from "./contract.ts";

export const webhookSchema = v.object({
  id: rowId,
  name: v.string(),
  url: v.string(),
  /** How its messages are written. */
  format: v.picklist(webhookFormats),
  /** The sessions that it is told about. Empty: all that are not private. */
  sessions: v.array(v.object({ id: rowId, slug: v.string(), name: v.string() })),
  /** The kinds of messages that it is told. Empty: all. */
  kinds: v.array(v.picklist(webhookKinds)),
  enabled: v.boolean(),
  /** Since when every attempt has failed; null after one that did not. */
  failingSince: v.nullable(moment),
  /** Until when the secret before the last rotation signs too. */
  rotatingUntil: v.nullable(moment),
  createdAt: moment,
});
export type WebhookView = v.InferOutput<typeof webhookSchema>;

export const webhooksAnswer = v.object({ webhooks: v.array(webhookSchema) });
export type WebhooksAnswer = v.InferOutput<typeof webhooksAnswer>;
export const webhookAnswer = v.object({ webhook: webhookSchema });
/** `secret` is in this answer and in no other. */
export const webhookSecretAnswer = v.object({ webhook: webhookSchema, secret: v.string() });
export type WebhookSecretAnswer = v.InferOutput<typeof webhookSecretAnswer>;

export const deliverySchema = v.object({
  id: rowId,
  webhookId: rowId,
  type: v.string(),
  state: v.picklist(deliveryStates),
  attempts: v.number(),
  /** When it is tried next; null if it is over. */
  dueAt: v.nullable(moment),
  attemptedAt: v.nullable(moment),
  /** The HTTP status of the last answer; null if there was none. */
  status: v.nullable(v.number()),
  error: v.nullable(v.string()),
  /** The start of the last answer. */
  answer: v.nullable(v.string()),
  tookMs: v.nullable(v.number()),
  createdAt: moment,
});
export type DeliveryView = v.InferOutput<typeof deliverySchema>;

export const deliveryAnswer = v.object({ delivery: deliverySchema });
export const deliveriesAnswer = v.object({ deliveries: v.array(deliverySchema), meta: listMeta });
/** What a test says. */
export const pingMessage = v.object({
  sourceType: v.literal("Webhook"),
  eventType: v.literal("ping"),
  detail: v.object({ webhook: v.object({ id: rowId, name: v.string() }), serverTime: moment }),
});
export type PingMessage = v.InferOutput<typeof pingMessage>;

/** How many deliveries are on their way again. */
export const resentAnswer = v.object({ deliveries: v.object({ resent: v.number() }) });
export type DeliveriesAnswer = v.InferOutput<typeof deliveriesAnswer>;

const name = textLine(WEBHOOK_NAME_LENGTH_MAX);
const url = textLine(WEBHOOK_URL_LENGTH_MAX);
const format = v.picklist(webhookFormats, "is invalid");
/** Slugs or ids. */
const sessions = v.pipe(
  v.array(textLine(SESSION_SLUG_LENGTH_MAX)),
  v.maxLength(WEBHOOK_SESSIONS_MAX, `are too many (maximum is ${WEBHOOK_SESSIONS_MAX})`),
);
const kinds = v.pipe(v.array(v.picklist(webhookKinds, "is invalid")), v.maxLength(webhookKinds.length));

export const newWebhookBody = v.strictObject({
  name,
  url,
  format: v.optional(format, "json"),
  sessions: v.optional(sessions),
  kinds: v.optional(kinds),
});
export type NewWebhookBody = v.InferOutput<typeof newWebhookBody>;
/** Body of PATCH /api/v1/webhooks/:id under `webhook`. What is left out stays. */
export const changeWebhookBody = v.strictObject({
  name: v.optional(name),
  url: v.optional(url),
  format: v.optional(format),
  sessions: v.optional(sessions),
  kinds: v.optional(kinds),
  enabled: v.optional(v.boolean()),
});
export type ChangeWebhookBody = v.InferOutput<typeof changeWebhookBody>;

/** Body of PUT /api/v1/webhooks/:id/resend under `deliveries`: what was written from a moment on, before another one. */
export const resendBody = v.strictObject({
  from: dateField,
  to: dateField,
  kind: v.optional(v.picklist(webhookKinds, "is invalid")),
});
export type ResendBody = v.InferOutput<typeof resendBody>;
