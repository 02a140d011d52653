import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { lookupPublic, NotPublic } from "#src/push/push-address.ts";
import type { Env } from "#src/settings/env.ts";
import { isWebhookAddress } from "./webhook-address.ts";

export const TIMEOUT_MS = 10_000;
/** Of a longer answer the start is read, and the connection is closed. */
const ANSWER_BYTES_MAX = 1_000;

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
  { url, headers, body }: Outgoing,
  timeoutMs = TIMEOUT_MS,
): Promise<Received> {
  if (!isWebhookAddress(env, url))
    throw new NotPublic("The address is not one that messages may be sent to.");
  const target = new URL(url);
  const open = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open(target, {
      method: "POST",
      headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
      ...(env.production ? { lookup: lookupPublic } : {}),
    });
    const settle = (outcome: Received | Error) => {
      clearTimeout(timer);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
      // What is not read, or came too late, is not waited for.
      request.destroy();
    };
    const timer = setTimeout(() => settle(new TimedOut()), timeoutMs);
    request.on("error", settle);
    request.once("response", (response) => {
      readStart(response).then(
        (answer) => settle({ status: response.statusCode ?? 0, answer }),
        (error: unknown) => settle(error instanceof Error ? error : new Error("The answer cannot be read.")),
      );
    });
    request.end(body);
  });
}

/** The receiver was too slow. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

async function readStart(response: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response) {
    const bytes = part instanceof Uint8Array ? part : Buffer.from(String(part));
    parts.push(bytes);
    length += bytes.length;
    if (length >= ANSWER_BYTES_MAX) break;
  }
  const start = Buffer.concat(parts).subarray(0, ANSWER_BYTES_MAX);
  return new TextDecoder().decode(start).replaceAll("\0", "").trim();
}
