import { createHostPlaces } from "#src/http/outside/host-places.ts";
import { NotPublic } from "#src/http/outside/public-address.ts";
import { type OutsideAnswer, requestOutside, startOf } from "#src/http/outside/request-outside.ts";
import type { Env } from "#src/settings/env.ts";
import { isWebhookAddress } from "./webhook-address.ts";

/** A receiver that is slow must not take the places of all others. */
const places = createHostPlaces();

/** A message for a receiver. */
export type Outgoing = { url: string; headers: Record<string, string>; body: string };
export type Received = { status: number; answer: string; headers: OutsideAnswer["headers"] };

/**
 * Posts a message, follows no redirection, and reads the start of the answer.
 * @param timeoutMs for all of it.
 * @throws NotPublic if the address is not one that messages may be sent to; HostBusy if too many requests to its host are under way;
 *   other errors if there is no answer.
 */
export async function postDelivery(
  env: Pick<Env, "production">,
  outgoing: Outgoing,
  timeoutMs?: number,
): Promise<Received> {
  if (!isWebhookAddress(env, outgoing.url))
    throw new NotPublic("The address is not one that messages may be sent to.");
  const request = { ...outgoing, method: "POST" };
  const answer = await requestOutside(request, { publicOnly: env.production, places, timeoutMs });
  return { status: answer.status, answer: startOf(answer), headers: answer.headers };
}
