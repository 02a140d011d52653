import { postOutside } from "#src/http/outside/post-outside.ts";
import { NotPublic } from "#src/http/outside/public-address.ts";
import type { Env } from "#src/settings/env.ts";
import { isWebhookAddress } from "./webhook-address.ts";

/** A message for a receiver. */
export type Outgoing = { url: string; headers: Record<string, string>; body: string };
export type Received = { status: number; answer: string };

/**
 * Posts a message, follows no redirection, and reads the start of the answer.
 * @param timeoutMs for all of it.
 * @throws NotPublic if the address is not one that messages may be sent to; other errors if there is no answer.
 */
export async function postDelivery(
  env: Pick<Env, "production">,
  outgoing: Outgoing,
  timeoutMs?: number,
): Promise<Received> {
  if (!isWebhookAddress(env, outgoing.url))
    throw new NotPublic("The address is not one that messages may be sent to.");
  const { status, start } = await postOutside(outgoing, { publicOnly: env.production, timeoutMs });
  return { status, answer: start };
}
