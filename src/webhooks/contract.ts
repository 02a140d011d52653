import { type WebhookFormat, type WebhookKind, webhookKinds } from "#db/lists/webhooks.ts";
import { labelsOf } from "#src/base/contract.ts";

export const WEBHOOKS_MAX = 20;
export const WEBHOOK_NAME_LENGTH_MAX = 40;
export const WEBHOOK_URL_LENGTH_MAX = 500;
export const WEBHOOK_SESSIONS_MAX = 20;

/** The delays before a failed delivery is tried again, in seconds. After the last one it is given up. */
export const RETRY_AFTER_SECONDS = [10, 60, 600, 3_600, 21_600] as const;
/** For how long a delivery is tried. */
export const RETRY_SECONDS = RETRY_AFTER_SECONDS.reduce<number>((sum, seconds) => sum + seconds, 0);
/** A webhook whose every attempt fails for so long is switched off. */
export const FAILING_HOURS_MAX = 24;
/** For how long the secret before a rotation signs too. */
export const ROTATION_HOURS = 24;
/** For how many days deliveries are listed. */
export const DELIVERY_DAYS = 14;
/** How many deliveries one request sends again. */
export const RESENT_MAX = 1_000;

/** `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, with one more `v1` for each secret that is valid. */
export const SIGNATURE_HEADER = "X-Called-It-Signature";
/** The delivery's number: the same for each attempt. */
export const ID_HEADER = "X-Called-It-Id";
/** What it reports: "Event/resolve". */
export const TYPE_HEADER = "X-Called-It-Type";
/** Of https://www.standardwebhooks.com: the same id, the Unix seconds of the attempt, and `v1,<base64>` for each secret that is valid. */
export const standardHeaders = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
} as const;

/** The type of a test. */
export const PING_TYPE = "Webhook/ping";

/** How far a delivery has come: it waits for its next attempt, or it is over. */
export const deliveryStates = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const formatLabel = labelsOf<WebhookFormat>({
  json: "JSON, for a program",
  discord: "Discord",
  slack: "Slack",
});

export const isWebhookKind = (type: string): type is WebhookKind =>
  webhookKinds.some((kind) => kind === type);

export const kindLabel = labelsOf<WebhookKind>({
  "Event/publish_event": "A question is next",
  "Event/open_event": "Calls are open",
  "Event/close_event": "Calls are closed",
  "Event/resolve": "A result is decided",
  "Event/pay": "A result is paid",
  "Event/reset": "A question is asked again",
  "Event/hide": "A question is taken off",
  "Event/show": "A question is shown again",
  "Event/update": "A question is changed",
  "Event/destroy": "A question is deleted",
  "Session/activate": "Players are sent to a session",
  "Session/deactivate": "Players are not sent to it any more",
  "Session/start": "A session has started",
  "Session/stop": "A session is over",
  "Session/pause": "A session is paused",
  "Session/resume": "A session goes on",
  "Session/take_back_start": "A start is taken back",
  "Session/take_back_stop": "A stop is taken back",
  "Session/update": "A session is changed",
  "Session/destroy": "A planned session is deleted",
});
