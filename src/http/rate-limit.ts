import type { Redis } from "ioredis";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import type { Rate } from "./rates.ts";

const SECOND_MS = 1_000;
const MINUTE_S = 60;
/** A network of IPv6 belongs to one household: addresses within it are free to take. */
const NETWORK_PARTS = 4;
const ADDRESS_PARTS = 8;

/** Who asks: a visit, or what is known of it. */
export type Asking = {
  /** Empty where there was no connection; then no address is counted. */
  address: string;
  viewer: { id: number } | null;
  /** What the account is known by before anybody is signed in: the email of a sign-in. */
  account?: string;
};

/**
 * Counts one more time that somebody does something, and refuses it where it was done too often: 429 with Retry-After.
 * All processes count together in Redis; while it is away, or where a rate says so, each counts for itself. Nothing is counted where RATE_LIMITS is off.
 */
export async function limitRate(
  deps: Pick<Deps, "env" | "redis">,
  rate: Rate,
  asking: Asking,
): Promise<void> {
  if (!deps.env.rateLimits) return;
  const { address, viewer, account = viewer?.id.toString() ?? "" } = asking;
  await count(deps.redis, { key: account, times: rate.perAccount, by: `${rate.name}:account`, rate });
  await count(deps.redis, {
    key: networkOf(address),
    times: rate.perAddress,
    by: `${rate.name}:address`,
    rate,
  });
}

type Counted = { key: string; times: number | undefined; by: string; rate: Rate };

async function count(redis: Redis, { key, times, by, rate }: Counted): Promise<void> {
  if (key === "" || times === undefined) return;
  try {
    const counting = { keyPrefix: `rate:${by}`, points: times, duration: rate.withinS };
    await limiterFor(redis, rate, counting).consume(key);
  } catch (refused) {
    if (refused instanceof Error) throw refused;
    throw tooOften(waitIn(refused));
  }
}

/** Seconds until the next time is free; the library throws no error for "too often" but its count. */
function waitIn(refused: unknown): number {
  const known = typeof refused === "object" && refused !== null && "msBeforeNext" in refused;
  const waitMs = known ? Number(refused.msBeforeNext) : SECOND_MS;
  return Math.max(1, Math.ceil(waitMs / SECOND_MS));
}

function tooOften(waitS: number): Refusal {
  const minutes = Math.ceil(waitS / MINUTE_S);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new Refusal(429, "rate_limited", `That was too often. Try again in ${wait}.`, {
    retryAfterSeconds: waitS,
  });
}

const limiters = new WeakMap<Redis, Map<string, RateLimiterAbstract>>();

type Counting = { keyPrefix: string; points: number; duration: number };

function limiterFor(redis: Redis, { perProcess }: Rate, counting: Counting): RateLimiterAbstract {
  const known = limiters.get(redis) ?? new Map<string, RateLimiterAbstract>();
  limiters.set(redis, known);
  const limiter =
    known.get(counting.keyPrefix) ??
    (perProcess === true ? new RateLimiterMemory(counting) : createLimiter(redis, counting));
  known.set(counting.keyPrefix, limiter);
  return limiter;
}

function createLimiter(redis: Redis, counting: Counting): RateLimiterAbstract {
  return new RateLimiterRedis({
    ...counting,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(counting),
  });
}

/** An IPv4 address as it is; of IPv6 the network. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail = ""] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === "" ? [] : tail.split(":");
  const zeros = address.includes("::")
    ? Array<string>(Math.max(0, ADDRESS_PARTS - before.length - after.length)).fill("0")
    : [];
  return [...before, ...zeros, ...after].slice(0, NETWORK_PARTS).join(":");
}
