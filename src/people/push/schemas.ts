import * as v from "valibot";
import { listMeta, moment, rowId } from "#src/http/schemas.ts";
import { ENDPOINT_LENGTH_MAX } from "./contract.ts";

/** Letters of an uncompressed point of P-256, and of 16 bytes, in base64url. */
const POINT_LETTERS = 87;
const SECRET_LETTERS = 22;

const base64Url = (letters: number) =>
  v.pipe(v.string(), v.regex(/^[\w-]*$/, "is invalid"), v.length(letters, "is invalid"));

export const pushSubscriptionSchema = v.object({
  id: rowId,
  endpoint: v.string(),
  sessionLive: v.boolean(),
  results: v.boolean(),
  createdAt: moment,
  lastSuccessAt: v.nullable(moment),
});
export type PushSubscriptionView = v.InferOutput<typeof pushSubscriptionSchema>;

export const pushSubscriptionAnswer = v.object({ pushSubscription: pushSubscriptionSchema });

/** `publicKey`: the product's key, for the browser's push service. */
export const pushSubscriptionsAnswer = v.object({
  pushSubscriptions: v.array(pushSubscriptionSchema),
  meta: v.object({ ...listMeta.entries, publicKey: v.string() }),
});
export type PushSubscriptionsAnswer = v.InferOutput<typeof pushSubscriptionsAnswer>;

/** Body of PUT .../push_subscriptions under `push_subscription`: what the browser's push service gave it, and what is wanted. */
export const pushSubscriptionBody = v.strictObject({
  endpoint: v.pipe(v.string(), v.url(), v.maxLength(ENDPOINT_LENGTH_MAX)),
  p256dh: base64Url(POINT_LETTERS),
  auth: base64Url(SECRET_LETTERS),
  sessionLive: v.boolean(),
  results: v.boolean(),
});
export type PushSubscriptionBody = v.InferOutput<typeof pushSubscriptionBody>;
