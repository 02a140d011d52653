import * as v from "valibot";
import { isDatabaseAway } from "#db/pool/database-errors.ts";
import { calls } from "#db/schema/calls.ts";
import type { Deps } from "#src/base/deps.ts";
import { rates } from "#src/http/rates.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";

const ROBOTS = 4;
/** Calls often enough to see a return, and a fifth less often than an account may. */
const PAUSE_MS = (1.2 * 1_000 * rates.placeCall.withinS) / rates.placeCall.perAccount;
const READ_EVERY_MS = 200;
const GIVE_UP_AFTER_MS = 30_000;

/** A page or a call as a client met it. Status 0: no answer. */
export type Met = {
  what: "page" | "call";
  status: number;
  retryAfter: string | null;
  atMs: number;
  tookMs: number;
};

/** Players who read pages and place calls on the product all the time, and a reader of the books beside them. */
export type Load = {
  met: Met[];
  /** The differences that the reader has ever found. */
  differences: () => unknown[];
  /** Ends the load, after each player has an answer to the last call. @returns the ids of the calls that were acknowledged. */
  stop: () => Promise<number[]>;
};

type Target = { origin: string; spotId: number; /** The page's address. */ page: string };

/** Starts the load. A call without a clear answer is sent again with its key until it has one, as clients do. */
export async function startLoad(deps: Deps, target: Target): Promise<Load> {
  const met: Met[] = [];
  const acknowledged = new Set<number>();
  const found: unknown[] = [];
  let running = true;
  const isRunning = () => running;
  const robots = await Promise.all(
    Array.from({ length: ROBOTS }, async () => signInDirectly(deps, await buildPlayer(deps))),
  );
  const work = [
    ...robots.map(async (credentials) => {
      while (isRunning()) {
        const callId = await placeOnce(credentials, target, met);
        acknowledged.add(callId);
        await Bun.sleep(PAUSE_MS);
      }
    }),
    ...robots.map(async (credentials) => {
      while (isRunning()) {
        await meet("page", met, () => get(target.page, credentials));
        await Bun.sleep(PAUSE_MS);
      }
    }),
    readBooks(deps, isRunning, found),
  ];
  return {
    met,
    differences: () => found,
    stop: async () => {
      running = false;
      await Promise.all(work);
      return [...acknowledged];
    },
  };
}

/** How many calls there are. */
export function countCalls({ pool }: Deps): Promise<number> {
  return pool.db.$count(calls);
}

const placed = v.object({ call: v.object({ id: v.number() }) });

async function placeOnce(credentials: Credentials, { origin, spotId }: Target, met: Met[]): Promise<number> {
  const key = crypto.randomUUID();
  for (;;) {
    const response = await meet("call", met, () =>
      fetch(`${origin}/api/v1/calls`, {
        method: "POST",
        headers: { ...credentials, origin, "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify({ call: { spot_id: spotId, wager: 0.01 } }),
        signal: AbortSignal.timeout(GIVE_UP_AFTER_MS),
      }),
    );
    if (response?.ok === true) return v.parse(placed, await response.json()).call.id;
    await Bun.sleep(PAUSE_MS);
  }
}

type Credentials = Record<string, string>;

function get(url: string, credentials: Credentials): Promise<Response> {
  const headers = { ...credentials, accept: "text/html" };
  return fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(GIVE_UP_AFTER_MS) });
}

async function meet(what: Met["what"], met: Met[], ask: () => Promise<Response>): Promise<Response | null> {
  const sentAt = performance.now();
  const response = await ask().catch(() => null);
  const atMs = performance.now();
  const retryAfter = response?.headers.get("retry-after") ?? null;
  met.push({ what, status: response?.status ?? 0, retryAfter, atMs, tookMs: atMs - sentAt });
  return response;
}

async function readBooks({ pool }: Deps, isRunning: () => boolean, found: unknown[]): Promise<void> {
  while (isRunning()) {
    try {
      found.push(...(await listDifferences(pool.db)));
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
    }
    await Bun.sleep(READ_EVERY_MS);
  }
}
