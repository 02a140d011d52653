import { median, quantile } from "./numbers.ts";

const ROUND_MS = 1_500;
const WAGER_CENTS = 1;

/** A player, and the spot of the player's calls. */
export type Client = { userId: number; spotId: number; headers: Record<string, string> };
/** Places one call of a client. Rejects if it was not placed. */
export type Place = (client: Client) => Promise<void>;
/** The result of one round. */
export type PlacingRound = { perSecond: number; p50Ms: number; p99Ms: number };

/**
 * Places calls for ROUND_MS, `lanes` at the same time. Each lane has its own clients and takes them in turn, because the calls
 * of one account are limited in production.
 */
export async function placeForRound(
  { clients, place }: { clients: readonly Client[]; place: Place },
  lanes: number,
): Promise<PlacingRound> {
  const tookMs: number[] = [];
  const startedAt = performance.now();
  const keepPlacing = async (lane: number) => {
    const own = clients.filter((_, index) => index % lanes === lane);
    for (let call = 0; performance.now() - startedAt < ROUND_MS; call += 1) {
      const client = own[call % own.length];
      if (client === undefined) throw new Error(`there are fewer clients than ${lanes}`);
      const sentAt = performance.now();
      await place(client);
      tookMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => keepPlacing(lane)));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: tookMs.length / seconds, p50Ms: median(tookMs), p99Ms: quantile(tookMs, 0.99) };
}

/** The call that both sides of a comparison place. */
export function callOf({ userId, spotId }: Client) {
  return { userId, spotId, wagerCents: WAGER_CENTS, idempotencyKey: crypto.randomUUID() };
}

/** Places calls over HTTP at this origin. */
export function placeByHttp(origin: string): Place {
  return async ({ spotId, headers }) => {
    const response = await fetch(`${origin}/api/v1/calls`, {
      method: "POST",
      headers: { ...headers, accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ call: { spot_id: spotId, wager: WAGER_CENTS / 100 } }),
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`the call was not placed: ${response.status} ${text}`);
  };
}
