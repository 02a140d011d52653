import type { Logger } from "pino";
import { parseRedisUrl } from "#src/settings/redis-address.ts";
import { RedisRefuses, tryRights, tryWrite } from "./redis-rights.ts";
import { cureOfRedis, describeRedisTrouble } from "./redis-trouble.ts";
import { pingRedis, type RedisClient } from "./redis.ts";

const LOOK_EVERY_MS = 1_000;
/** So often all rights are tried, on a new connection: somebody may take one, or change the password. Otherwise one key is written. */
const RIGHTS_EVERY_LOOKS = 3;
/** This many looks in a row must fail: a failover, or a new connection, is no trouble. */
const FAILURES_MIN = 3;

/** Before Redis has answered once, silence without a reason is no trouble for so many looks: a busy machine starts slowly. */
const FAILURES_AT_START_MIN = 8;

/** What is known about Redis in this process. */
export type RedisWatch = {
  /** Resolves when Redis can be used for the first time. */
  usable: Promise<void>;
  /** What is wrong and what to change; null while Redis can be used, and before it is known. */
  trouble: () => string | null;
  stop: () => void;
};

/**
 * Watches Redis and logs one line whenever it cannot be used, with the cause and the cure, and when it can again. All that the product needs
 * is tried with each new connection and every 3 s, and each second whether Redis takes writes.
 */
export function watchRedis({
  redis,
  env: { redisUrl },
  log,
}: {
  redis: RedisClient;
  env: { redisUrl: string };
  log: Logger;
}): RedisWatch {
  const watching = new Watching(redisUrl, redis);
  const usable = Promise.withResolvers<void>();
  let said: string | null | undefined;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const found = await watching.look();
    isLooking = false;
    if (found === undefined || found === said) return;
    if (found !== null) log.error(found);
    else if (said !== undefined) log.info("Redis can be used again");
    said = found;
    if (found === null) usable.resolve();
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  void look();
  return { usable: usable.promise, trouble: () => said ?? null, stop: () => clearInterval(timer) };
}

class Watching {
  readonly #url: string;
  readonly #user: string;
  readonly #redis: RedisClient;
  /** Of the connection. */
  #lastError: Error | null = null;
  #failures = 0;
  #looks = 0;
  #hasAnswered = false;

  constructor(url: string, redis: RedisClient) {
    this.#url = url;
    this.#user = parseRedisUrl(url)?.username ?? "default";
    this.#redis = redis;
    redis.on("error", (error: Error) => {
      this.#lastError = error;
    });
    redis.on("ready", () => (this.#lastError = null));
    redis.on("close", () => (this.#looks = 0));
  }

  /** Redis may refuse new connections while the present one goes on. */
  async #tryRights(): Promise<void> {
    try {
      await tryRights(this.#redis, { url: this.#url, user: this.#user });
    } catch (error) {
      const cure = error instanceof Error ? cureOfRedis(error) : null;
      if (cure === null) throw error;
      throw new RedisRefuses(`Redis takes no new connection. ${cure}`, { cause: error });
    }
  }

  #failuresMin(): number {
    const isExplained = this.#lastError !== null && cureOfRedis(this.#lastError) !== null;
    return this.#hasAnswered || isExplained ? FAILURES_MIN : FAILURES_AT_START_MIN;
  }

  /** @returns what is wrong; null if nothing is; undefined if that is not known yet. */
  async look(): Promise<string | null | undefined> {
    try {
      await pingRedis(this.#redis);
      await (this.#looks === 0 ? this.#tryRights() : tryWrite(this.#redis));
      this.#looks = (this.#looks + 1) % RIGHTS_EVERY_LOOKS;
      this.#failures = 0;
      this.#hasAnswered = true;
      return null;
    } catch (error) {
      if (error instanceof RedisRefuses) return error.message;
      this.#failures += 1;
      return this.#failures < this.#failuresMin()
        ? undefined
        : describeRedisTrouble(this.#url, this.#lastError);
    }
  }
}
