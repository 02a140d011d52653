import { openConnection } from "./http-connection.ts";
import { median, quantile } from "./table.ts";

const ROUND_MS = 1_500;
const WAGER_CENTS = 1;

/** A player, and the spot of the player's calls. */
export type Client = { userId: number; spotId: number; headers: Record<string, string> };
/** Places calls, one at a time. `place` rejects if the call was not placed. */
type Lane = { place: (client: Client) => Promise<void>; close?: () => void };
export type OpenLane = () => Promise<Lane>;
/** The result of one round. */
export type PlacingRound = { perSecond: number; p50Ms: number; p99Ms: number };

/**
 * Places calls for ROUND_MS, `lanes` at the same time. Each lane has its own clients and takes them in turn, because the calls
 * of one account are limited in production.
 */
export async function placeForRound(
  { clients, openLane }: { clients: readonly Client[]; openLane: OpenLane },
  lanes: number,
): Promise<PlacingRound> {
  const open = await Promise.all(Array.from({ length: lanes }, openLane));
  const tookMs: number[] = [];
  const startedAt = performance.now();
  const keepPlacing = async ({ place }: Lane, lane: number) => {
    const own = clients.filter((_, index) => index % lanes === lane);
    for (let call = 0; performance.now() - startedAt < ROUND_MS; call += 1) {
      const client = own[call % own.length];
      if (client === undefined) throw new Error(`there are fewer clients than ${lanes}`);
      const sentAt = performance.now();
      await place(client);
      tookMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(open.map(keepPlacing));
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const { close } of open) close?.();
  return { perSecond: tookMs.length / seconds, p50Ms: median(tookMs), p99Ms: quantile(tookMs, 0.99) };
}

/** The call that both sides of a comparison place. */
export function callOf({ userId, spotId }: Client) {
  return { userId, spotId, wagerCents: WAGER_CENTS, idempotencyKey: crypto.randomUUID() };
}

const requests = new WeakMap<Client, Buffer>();

/** The request for a call, as bytes, so that the client does not limit the server. */
function requestOf(client: Client, { host, pathname }: URL): Buffer {
  const known = requests.get(client);
  if (known !== undefined) return known;
  const body = JSON.stringify({ call: { spot_id: client.spotId, wager: WAGER_CENTS / 100 } });
  const headers = {
    host,
    ...client.headers,
    accept: "application/json",
    "content-type": "application/json",
    "content-length": String(body.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const request = Buffer.from([`POST ${pathname} HTTP/1.1`, ...lines, "", body].join("\r\n"));
  requests.set(client, request);
  return request;
}

/** Places calls over HTTP at this origin, on a connection for each lane. */
export function placeByHttp(origin: string): OpenLane {
  const url = new URL("/api/v1/calls", origin);
  return async () => {
    const connection = await openConnection(url.hostname, Number(url.port));
    return {
      place: async (client) => {
        const { status, body } = await connection.request(requestOf(client, url));
        if (status !== 201) throw new Error(`the call was not placed: ${status} ${body.toString()}`);
      },
      close: connection.close,
    };
  };
}
