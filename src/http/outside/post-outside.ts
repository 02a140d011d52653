import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { networkOf } from "#src/settings/networks.ts";
import { HostBusy, type HostPlaces, siteOf, type Visit } from "./host-places.ts";
import { lookupPublic, NotPublic } from "./public-address.ts";

// Decision: each request to an address that somebody else has chosen goes through here. It has one deadline for all of it, reads a
// bounded answer, follows no redirection, and connects to the very address that was checked. fetch would give all but the last: it
// looks the name up again by itself, so node's request is used, which takes a lookup.

/** For all of a request: the name, the connection, TLS, the headers and the body. */
export const POST_TIMEOUT_MS = 10_000;
/** Of a longer answer the start is read. */
const ANSWER_BYTES_MAX = 1_000;

/** A message to an address that somebody else has chosen. */
export type OutsideMessage = { url: string; headers: OutgoingHttpHeaders; body: string | Uint8Array };
export type OutsideOptions = {
  /** The host must be public. False for addresses that the settings allow. */
  publicOnly: boolean;
  /** Limits the requests to a host at a time. */
  places?: HostPlaces;
  timeoutMs?: number | undefined;
};
export type OutsideAnswer = { status: number; headers: IncomingHttpHeaders; start: string };

/** There was no whole answer in time. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

/**
 * Posts a message, follows no redirection, reads the start of the answer and closes the connection. However the other side
 * behaves, it is over after the timeout, and at most the headers and the start of the body are kept.
 * @throws TimedOut; NotPublic if the host is not public; HostBusy if too many requests to the host are under way; other errors if
 *   there is no answer.
 */
export async function postOutside(
  message: OutsideMessage,
  { publicOnly, places, timeoutMs = POST_TIMEOUT_MS }: OutsideOptions,
): Promise<OutsideAnswer> {
  const target = new URL(message.url);
  const visit = places?.visit() ?? null;
  visit?.enter(siteOf(target));
  try {
    const answer = await post(message, { target, timeoutMs, lookup: lookupFor(publicOnly, visit) });
    visit?.leave(true);
    return answer;
  } catch (error) {
    visit?.leave(error instanceof HostBusy || error instanceof NotPublic ? null : false);
    throw error;
  }
}

/** Takes a place of the address too, as soon as it is known. */
function lookupFor(publicOnly: boolean, visit: Visit | null): LookupFunction | undefined {
  if (!publicOnly) return undefined;
  if (visit === null) return lookupPublic;
  return (host, options, done) =>
    lookupPublic(host, options, (error, found, family) => {
      if (error !== null) return done(error, found, family);
      const [first] = typeof found === "string" ? [found] : found.map(({ address }) => address);
      try {
        if (first !== undefined) visit.enter(networkOf(first));
      } catch (busy) {
        return done(busy instanceof Error ? busy : new Error("no place"), "", 0);
      }
      return done(null, found, family);
    });
}

type Posting = { target: URL; timeoutMs: number; lookup: LookupFunction | undefined };

function post(
  { headers, body }: OutsideMessage,
  { target, timeoutMs, lookup }: Posting,
): Promise<OutsideAnswer> {
  const open = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open(target, {
      method: "POST",
      headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
      ...(lookup === undefined ? {} : { lookup }),
    });
    const settle = (outcome: OutsideAnswer | Error) => {
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
        (start) => settle({ status: response.statusCode ?? 0, headers: response.headers, start }),
        (error: unknown) => settle(error instanceof Error ? error : new Error("The answer cannot be read.")),
      );
    });
    request.end(body);
  });
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
