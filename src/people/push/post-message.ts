import { generateRequestDetails } from "web-push";
import type { pushSubscriptions } from "#db/schema/push-subscriptions.ts";
import { createHostPlaces } from "#src/http/outside/host-places.ts";
import { NotPublic } from "#src/http/outside/public-address.ts";
import { requestOutside, retryAfterOf } from "#src/http/outside/request-outside.ts";
import { senderOf } from "#src/mail/send-letter.ts";
import type { Env } from "#src/settings/env.ts";
import type { PushMessage } from "./contract.ts";
import { isPushEndpoint } from "./push-address.ts";

/** A player chooses the address, so one host must not take the places of all others. */
const places = createHostPlaces();

/** A message, and how the push service treats it. */
export type OutgoingMessage = PushMessage & {
  /** The push service drops the message after this time if the browser has not been there. */
  ttlSeconds: number;
  urgency: "normal" | "high";
  /** Of the messages with one topic that wait for the browser, the push service keeps the newest. At most 32 letters. */
  topic: string;
};

type Subscription = Pick<typeof pushSubscriptions.$inferSelect, "endpoint" | "p256dh" | "auth">;
type PostEnv = Pick<Env, "push" | "mailFrom" | "publicUrl">;

/**
 * Encrypts a message for a browser (RFC 8291), signs the request (RFC 8292) and sends it to the browser's push service. No
 * redirection is followed.
 * @returns the push service's status, and the seconds after which it may be asked again, if it says so.
 * @throws NotPublic if the address is not one that messages may be sent to; HostBusy if too many requests to its host are under way;
 *   other errors if there is no answer.
 */
export async function postMessage(
  env: PostEnv,
  { endpoint, p256dh, auth }: Subscription,
  { ttlSeconds, urgency, topic, ...message }: OutgoingMessage,
): Promise<{ status: number; retryAfterSeconds: number | null }> {
  const { push } = env;
  if (!isPushEndpoint(endpoint, push)) throw new NotPublic("The address is not that of a push service.");
  const { headers, body } = generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message satisfies PushMessage),
    {
      vapidDetails: { subject: `mailto:${senderOf(env)}`, ...push },
      TTL: ttlSeconds,
      urgency,
      topic,
      contentEncoding: "aes128gcm",
    },
  );
  const isAllowed = new URL(endpoint).origin === push.serviceOrigin;
  const request = { url: endpoint, method: "POST", headers, body };
  const answer = await requestOutside(request, { publicOnly: !isAllowed, places });
  return { status: answer.status, retryAfterSeconds: retryAfterOf(answer, Date.now()) };
}
