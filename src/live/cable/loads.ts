import type { Logger } from "pino";
import * as v from "valibot";
import type { RedisClient } from "#src/base/redis.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { parseJson } from "./frames.ts";

/** Each process's load, as JSON by process. */
const KEY = "cable:loads";
/** A load that was not reported again by then is of a process that has ended. */
const LIFETIME_MS = 20_000;

const loadSchema = v.object({
  sockets: v.number(),
  /** How many clients read more slowly than messages arrive. */
  slow: v.number(),
  /** How long the slowest client took to answer its last ping; null before the first ping. */
  slowestMs: v.nullable(v.number()),
  /** Whether messages can reach the sockets. */
  receives: v.boolean(),
});
/** How the sockets of one process are. */
export type CableLoad = v.InferOutput<typeof loadSchema>;
const reportSchema = v.object({ ...loadSchema.entries, atMs: v.number() });

type LoadsDeps = { redis: RedisClient; log: Logger };

/** The loads of all processes. Each reports its own to Redis, so that any of them can answer for all. */
export class Loads {
  readonly #deps: LoadsDeps;
  readonly #read: () => CableLoad;
  readonly #process = crypto.randomUUID();

  /** @param read the load of this process at this moment. */
  constructor(deps: LoadsDeps, read: () => CableLoad) {
    this.#deps = deps;
    this.#read = read;
  }

  /** Reports the load of this process, and removes those of processes that have ended. */
  async report(): Promise<void> {
    const { redis, log } = this.#deps;
    try {
      await redis.hset(
        KEY,
        this.#process,
        JSON.stringify({ ...this.#read(), atMs: serverNow().getTime() } satisfies v.InferOutput<
          typeof reportSchema
        >),
      );
      const ended = Object.entries(await redis.hgetall(KEY)).flatMap(([name, text]) =>
        readReport(text) === null ? [name] : [],
      );
      if (ended.length > 0) await redis.hdel(KEY, ...ended);
    } catch (error) {
      log.debug({ err: error }, "the load could not be reported; the next report follows");
    }
  }

  /** This process has ended. */
  async withdraw(): Promise<void> {
    await this.#deps.redis.hdel(KEY, this.#process).catch(() => undefined);
  }

  /** The load of this process, now; and those of the others, as reported: null while Redis is away. */
  async list(): Promise<{ own: CableLoad; others: CableLoad[] | null }> {
    const own = this.#read();
    try {
      const { [this.#process]: _own, ...others } = await this.#deps.redis.hgetall(KEY);
      return { own, others: Object.values(others).flatMap((text) => readReport(text) ?? []) };
    } catch (error) {
      this.#deps.log.debug({ err: error }, "the loads of other processes are not known");
      return { own, others: null };
    }
  }
}

/** Null for a report that is too old or that cannot be read. */
function readReport(text: string): CableLoad | null {
  const parsed = v.safeParse(reportSchema, parseJson(text));
  if (!parsed.success) return null;
  const { atMs, ...load } = parsed.output;
  return serverNow().getTime() - atMs < LIFETIME_MS ? load : null;
}

/** The longest of these times; null if none is known. */
export function slowestOf(times: Iterable<number | null>): number | null {
  let slowest: number | null = null;
  for (const time of times) if (time !== null && time > (slowest ?? -1)) slowest = time;
  return slowest;
}
