import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import type { Semaphore } from "#db/pool/semaphore.ts";
import { within } from "#src/base/within.ts";
import { networkOf } from "#src/settings/networks.ts";
import { HostBusy, type HostPlaces, siteOf, type Visit } from "./host-places.ts";
import { lookupPublic, NotPublic } from "./public-address.ts";

// Decision: each HTTP request that the product sends goes through here: to addresses that others have chosen, and to the services of
// the settings (the bucket, Stripe, the collector). So each has one deadline for all of it, reads a bounded answer, follows no
// redirection, and one that others have chosen connects to the very address that was checked. fetch would give all but the last: it
// looks the name up again by itself, so node's request is used, which takes a lookup.

/** For all of a request: its turn, the name, the connection, TLS, the headers and the body. */
export const OUTSIDE_TIMEOUT_MS = 10_000;
/** Of a longer answer the start is read, unless the caller needs more. */
const ANSWER_BYTES_MAX = 1_000;

export type OutsideRequest = {
  url: string;
  method: string;
  headers: OutgoingHttpHeaders;
  body?: string | Uint8Array;
};
export type OutsideOptions = {
  /** The host must be public. False for addresses that the settings allow. */
  publicOnly: boolean;
  /** Limits the requests to a host at a time: one that finds no place is refused. */
  places?: HostPlaces;
  /** Limits the requests at a time: one that finds no place waits for its turn, at most until its deadline. */
  turns?: Semaphore;
  timeoutMs?: number | undefined;
  /** The caller needs the whole answer, which has at most so many bytes. Without it the start is read. */
  wholeBytesMax?: number;
  /** Of the answer, what arrives within this time after its first part is read. */
  partsWithinMs?: number;
  /** The certificates of the connection. False: a new connection is opened for it. */
  agent?: Agent | false | undefined;
};
export type OutsideAnswer = { status: number; headers: IncomingHttpHeaders; body: Uint8Array };

/** There was no whole answer in time. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";

  constructor() {
    super("There was no whole answer in time.");
  }
}

/** The answer is longer than what the caller reads, or ended before its end. */
export class BadLength extends Error {
  override readonly name = "BadLength";
}

/**
 * Sends a request, follows no redirection, reads a bounded answer and closes the connection. However the other side behaves, it is
 * over after the timeout, and at most the headers and the bounded part of the body are kept.
 * @throws TimedOut; NotPublic if the host is not public; HostBusy if too many requests to the host are under way; BadLength if the
 *   caller needs the whole answer and there is none; other errors if there is no answer.
 */
export async function requestOutside(
  request: OutsideRequest,
  { publicOnly, places, turns, timeoutMs = OUTSIDE_TIMEOUT_MS, ...how }: OutsideOptions,
): Promise<OutsideAnswer> {
  const target = new URL(request.url);
  const visit = places?.visit() ?? null;
  visit?.enter(siteOf(target));
  const untilMs = performance.now() + timeoutMs;
  const send = () =>
    sendUntil(request, { ...how, target, untilMs, lookup: publicOnly ? lookupFor(visit) : undefined });
  // What has waited for its turn until its deadline is given up. When the turn comes, it is over at once.
  const late = () => Promise.reject(new TimedOut());
  try {
    const answer = await (turns === undefined ? send() : within(timeoutMs, turns.run(send), late));
    visit?.leave(true);
    return answer;
  } catch (error) {
    visit?.leave(error instanceof HostBusy || error instanceof NotPublic ? null : false);
    throw error;
  }
}

export function startOf({ body }: OutsideAnswer): string {
  return new TextDecoder().decode(body.subarray(0, ANSWER_BYTES_MAX)).replaceAll("\0", "").trim();
}

/** The seconds after which the other side may be asked again, as the header Retry-After says: a number or a date. Null without one. */
export function retryAfterOf({ headers }: Pick<OutsideAnswer, "headers">, nowMs: number): number | null {
  const text = headers["retry-after"]?.trim() ?? "";
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs) / 1_000);
  return seconds > 0 ? seconds : null;
}

/** Takes a place of the address too, as soon as it is known. */
function lookupFor(visit: Visit | null): LookupFunction {
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

type Sending = Pick<OutsideOptions, "agent" | "wholeBytesMax" | "partsWithinMs"> & {
  target: URL;
  /** By performance.now(). */
  untilMs: number;
  lookup: LookupFunction | undefined;
};

async function sendUntil(
  { method, headers, body = "" }: OutsideRequest,
  { target, untilMs, lookup, agent, ...how }: Sending,
): Promise<OutsideAnswer> {
  const leftMs = untilMs - performance.now();
  if (leftMs <= 0) throw new TimedOut();
  const open = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const length = method === "GET" ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const request = open(target, {
      method,
      headers: { ...headers, ...length },
      ...(lookup === undefined ? {} : { lookup }),
      ...(agent === undefined ? {} : { agent }),
    });
    const settle = (outcome: OutsideAnswer | Error) => {
      clearTimeout(timer);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
      // What is not read, or came too late, is not waited for.
      request.destroy();
    };
    const timer = setTimeout(() => settle(new TimedOut()), leftMs);
    request.on("error", settle);
    // A request that asked for a socket has got it.
    request.once("upgrade", ({ statusCode = 0, headers: got }) =>
      settle({ status: statusCode, headers: got, body: new Uint8Array() }),
    );
    request.once("response", (response) => {
      readBody(response, how).then(
        (read) => settle({ status: response.statusCode ?? 0, headers: response.headers, body: read }),
        (error: unknown) => settle(error instanceof Error ? error : new Error("The answer cannot be read.")),
      );
    });
    request.end(body);
  });
}

async function readBody(
  response: IncomingMessage,
  { wholeBytesMax: wholeMax, partsWithinMs = Infinity }: Pick<Sending, "wholeBytesMax" | "partsWithinMs">,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let firstAtMs = Infinity;
  for await (const part of response) {
    firstAtMs = Math.min(firstAtMs, performance.now());
    if (performance.now() - firstAtMs > partsWithinMs) break;
    const bytes = part instanceof Uint8Array ? part : Buffer.from(String(part));
    parts.push(bytes);
    length += bytes.length;
    if (length > (wholeMax ?? ANSWER_BYTES_MAX)) break;
  }
  const read = Buffer.concat(parts);
  if (wholeMax === undefined) return read.subarray(0, ANSWER_BYTES_MAX);
  if (length > wholeMax) throw new BadLength(`The answer is longer than ${wholeMax} bytes.`);
  const said = response.headers["content-length"];
  if (said !== undefined && Number(said) !== length) throw new BadLength("The answer ended before its end.");
  return read;
}
