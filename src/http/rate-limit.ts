import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { Deps } from "#src/base/deps.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { type RateLimit, Refusal } from "#src/base/refusal.ts";
import { networkOf, wideNetworkOf } from "#src/settings/networks.ts";
import type { Rate } from "./rates.ts";

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
/** A longer wait is given in hours. */
const MINUTES_READ = 90;
/** What a /48 of IPv6 may do, which has 65,536 networks of one owner, or the phones of a carrier: as much as so many addresses. */
const ADDRESSES_PER_WIDE_NETWORK = 16;

/** The caller whose requests are counted: an Authentication, or parts of it. */
type RateSubject = {
  /** Empty if there was no connection; then no address is counted. */
  address: string;
  viewer: { id: number } | null;
  /** Identifies the account before the sign-in: the submitted email. */
  account?: string;
};

/**
 * Counts an action and refuses it when it happens too often: 429 with Retry-After. All processes share the counts in Redis. For a
 * rate with `inTurns` it returns when the action has its turn.
 * While Redis is away, or for a rate with `perProcess`, each process counts on its own. Does nothing if RATE_LIMITS is off.
 * @returns what is left, as the count itself has said: nothing is read for it.
 */
export async function limitRate(
  deps: Pick<Deps, "env" | "redis">,
  rate: Rate,
  subject: RateSubject,
): Promise<RateLimit[]> {
  if (!deps.env.rateLimits) return [];
  const left: RateLimit[] = [];
  for (const counted of countsOf(deps.env, rate, subject)) {
    const known = await count(deps.redis, counted);
    if (known !== null) left.push(known);
  }
  return left;
}

/**
 * Says what is left in the headers of draft-ietf-httpapi-ratelimit-headers: `"call:account";r=598;t=41` of `"call:account";q=600;w=60`. The
 * limit that has refused a request is said already.
 */
export function setRateLimits(headers: Headers, left: readonly RateLimit[]): void {
  if (left.length === 0 || headers.has("ratelimit")) return;
  headers.set("ratelimit", left.map((each) => each.left).join(", "));
  headers.set("ratelimit-policy", left.map(({ policy }) => policy).join(", "));
}

/** The refusal of an action that has happened too often already; null if it has not. Nothing is counted. */
export async function isLimited(
  deps: Pick<Deps, "env" | "redis">,
  rate: Rate,
  subject: RateSubject,
): Promise<Refusal | null> {
  if (!deps.env.rateLimits) return null;
  for (const { key, times, by } of countsOf(deps.env, rate, subject)) {
    if (key === "" || times === undefined) continue;
    const counted = await limiterFor(deps.redis, rate, optionsOf({ times, by, rate })).get(key);
    if (counted !== null && counted.consumedPoints >= times)
      return tooOften(counted, { key, times, by, rate });
  }
  return null;
}

/** What is counted. The address first: a name that a refused stranger has made up must not fill Redis. */
function countsOf(env: Deps["env"], rate: Rate, subject: RateSubject): Count[] {
  const { address, viewer, account = viewer?.id.toString() ?? "" } = subject;
  const { perAddress } = rate;
  const times = typeof perAddress === "function" ? perAddress(env) : perAddress;
  const [network, wide] = [networkOf(address), wideNetworkOf(address)];
  const ofAddress = { key: network, times, by: `${rate.name}:address`, rate };
  const ofAccount = { key: account, times: rate.perAccount, by: `${rate.name}:account`, rate };
  if (times === undefined || wide === network) return [ofAddress, ofAccount];
  const ofWide = { key: wide, times: times * ADDRESSES_PER_WIDE_NETWORK, by: `${rate.name}:wide`, rate };
  return [ofAddress, ofWide, ofAccount];
}

type Count = { key: string; times: number | undefined; by: string; rate: Rate };

async function count(redis: RedisClient, counted: Count): Promise<RateLimit | null> {
  const { key, times, by, rate } = counted;
  if (key === "" || times === undefined) return null;
  try {
    const limiter = limiterFor(redis, rate, optionsOf({ times, by, rate }));
    return leftOf(await limiter.consume(key), counted);
  } catch (refused) {
    if (refused instanceof Error) throw refused;
    throw tooOften(refused, counted);
  }
}

function leftOf(counter: unknown, { times = 0, by, rate }: Count): RateLimit {
  const left = counter instanceof RateLimiterRes ? Math.max(0, counter.remainingPoints) : 0;
  return {
    policy: `"${by}";q=${times};w=${rate.withinS}`,
    left: `"${by}";r=${left};t=${waitIn(counter)}`,
  };
}

function optionsOf({ times, by, rate }: { times: number; by: string; rate: Rate }): LimiterOptions {
  return {
    keyPrefix: `rate:${by}`,
    points: times,
    duration: rate.withinS,
    execEvenly: rate.inTurns === true,
  };
}

/** Seconds until the next attempt is allowed. For "too often" the library rejects with its counter, not with an Error. */
function waitIn(refused: unknown): number {
  const isCounter = typeof refused === "object" && refused !== null && "msBeforeNext" in refused;
  const waitMs = isCounter ? Number(refused.msBeforeNext) : 1_000;
  return Math.max(1, Math.ceil(waitMs / 1_000));
}

function tooOften(counter: unknown, counted: Count): Refusal {
  const waitS = waitIn(counter);
  const { instead } = counted.rate;
  const wait = [describeWait(waitS), ...(instead === undefined ? [] : [instead])].join(", ");
  return new Refusal(429, "rate_limited", `Too many attempts. Try again in ${wait}.`, {
    retryAfterSeconds: waitS,
    rateLimits: [leftOf(counter, counted)],
  });
}

function describeWait(waitS: number): string {
  const minutes = Math.ceil(waitS / MINUTE_S);
  if (minutes > MINUTES_READ) return `${Math.ceil(waitS / HOUR_S)} hours`;
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

const limiters = new WeakMap<RedisClient, Map<string, RateLimiterAbstract>>();

type LimiterOptions = { keyPrefix: string; points: number; duration: number; execEvenly: boolean };

function limiterFor(redis: RedisClient, { perProcess }: Rate, counting: LimiterOptions): RateLimiterAbstract {
  const known = limiters.get(redis) ?? new Map<string, RateLimiterAbstract>();
  limiters.set(redis, known);
  const limiter =
    known.get(counting.keyPrefix) ??
    (perProcess === true ? new RateLimiterMemory(counting) : createLimiter(redis, counting));
  known.set(counting.keyPrefix, limiter);
  return limiter;
}

function createLimiter(redis: RedisClient, counting: LimiterOptions): RateLimiterAbstract {
  return new RateLimiterRedis({
    ...counting,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(counting),
  });
}
