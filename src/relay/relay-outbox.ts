import { inTransaction, type Transaction } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFacts } from "#src/outbox/write-fact.ts";
import { broadcast } from "#src/streams/broadcast.ts";
import { boundBatch } from "./bound-batch.ts";
import { tellFacts } from "./broadcast-facts.ts";
import { tellLeaders } from "./broadcast-leaders.ts";
import { type Latest, LATEST_MAX, tellPool } from "./broadcast-pool.ts";
import { Coalescer } from "./coalescer.ts";
import type { Telling } from "./messages.ts";
import {
  anythingWaits,
  findWaiting,
  type Lane,
  markSent,
  type OutboxRow,
  pruneSent,
  readClock,
  takeRelayLock,
} from "./outbox-rows.ts";
import { Patience } from "./retry-policy.ts";
import { CrowdTurns } from "./slice-limiter.ts";

const SWEEP_EVERY_MS = 1_000;
const PRUNE_EVERY_MS = 5 * 60_000;
const POOL_EVERY_MS = 250;
const LEADERS_EVERY_MS = 1_000;
/** Where facts come without a pause, telling them rests for as long as it took: those who make them go first. */
const REST_MAX_MS = 25;

export type RelayDeps = Pick<Deps, "pool" | "redis" | "log">;

/** The relay of one process. */
export type Relay = {
  /** Tells what waits. Returns at once; what is committed by now is told without waiting for the next sweep. */
  ring: () => void;
  /** Ends after what is being told. */
  stop: () => Promise<void>;
};

/**
 * Tells the world what the outbox says, in the order it was written. Several processes may run one: they take turns. What
 * Redis did not take stays and is told later; a crash between telling and marking tells it twice, which the versions in
 * the messages make harmless. What concerns a crowd is told in slices, with all other facts in between.
 */
export function createRelay(deps: RelayDeps): Relay {
  const relay = new OutboxRelay(deps);
  const sweeping = setInterval(() => relay.sweep(), SWEEP_EVERY_MS);
  const pruning = setInterval(() => relay.prune(), PRUNE_EVERY_MS);
  return {
    ring: () => relay.ring(),
    stop: () => {
      clearInterval(sweeping);
      clearInterval(pruning);
      return relay.stop();
    },
  };
}

/** What telling facts leaves to be done afterwards. */
type Noted = Pick<Telling, "pools" | "leaders" | "rest">;

class OutboxRelay {
  readonly #deps: RelayDeps;
  readonly #pools: Coalescer;
  readonly #leaders: Coalescer;
  /** The newest calls that no pool message named yet, by event. */
  readonly #latest = new Map<number, Latest[]>();
  readonly #patience = { news: new Patience(), rest: new Patience() };
  readonly #crowds: CrowdTurns;
  #draining: Promise<void> | null = null;
  #rings = 0;
  #stopped = false;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
    this.#crowds = new CrowdTurns(deps.redis, () => this.ring());
    this.#pools = new Coalescer(deps, {
      name: "pool",
      everyMs: POOL_EVERY_MS,
      tell: (eventId) => this.#tellPool(eventId),
    });
    this.#leaders = new Coalescer(deps, {
      name: "leaders",
      everyMs: LEADERS_EVERY_MS,
      tell: async (sessionId) => broadcast(deps.redis, [await tellLeaders(deps.pool.db, sessionId)]),
    });
  }

  ring(): void {
    if (this.#stopped) return;
    this.#rings += 1;
    this.#draining ??= this.#drain();
  }

  sweep(): void {
    if (this.#draining !== null) return;
    anythingWaits(this.#deps.pool.db).then(
      (waits) => {
        if (!waits) return;
        this.#crowds.expect();
        this.ring();
      },
      (error: unknown) => this.#deps.log.debug({ err: error }, "the outbox is swept again later"),
    );
  }

  prune(): void {
    pruneSent(this.#deps.pool.db).catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, "the outbox is pruned again later"),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#crowds.stop();
    await this.#draining;
    await Promise.all([this.#pools.stop(), this.#leaders.stop()]);
  }

  async #drain(): Promise<void> {
    try {
      for (let heard = 0; heard !== this.#rings && !this.#stopped;) {
        heard = this.#rings;
        const beganMs = performance.now();
        // Neither lane waits for the other to be empty.
        for (let more = true; more;) {
          const news = await this.#tellBatch("news");
          const slice = await this.#tellSlice();
          more = news.more || slice;
        }
        if (heard !== this.#rings) await Bun.sleep(Math.min(REST_MAX_MS, performance.now() - beganMs));
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, "the outbox waits");
    } finally {
      this.#draining = null;
    }
  }

  /** Tells the next slice of a crowd, where it is its turn. @returns true where one was told. */
  async #tellSlice(): Promise<boolean> {
    if (this.#stopped || !(await this.#crowds.take())) return false;
    const { told } = await this.#tellBatch("rest");
    if (told === 0) this.#crowds.forget();
    return told > 0;
  }

  /** @returns how many facts it told, and whether more may wait: what is written from now on rings by itself. */
  async #tellBatch(lane: Lane): Promise<{ told: number; more: boolean }> {
    const patience = this.#patience[lane];
    const noted: Noted = { pools: new Map(), leaders: new Set(), rest: [] };
    const { limit } = patience;
    let [found, batch]: [OutboxRow[], OutboxRow[]] = [[], []];
    try {
      await inTransaction(this.#deps.pool.db, async (tx) => {
        await takeRelayLock(tx);
        found = await findWaiting(tx, lane, limit);
        batch = boundBatch(found);
        await this.#tellRows(tx, batch, { noted, patience });
        await writeFacts(tx, noted.rest);
        await markSent(tx, batch);
      });
      patience.succeeded(batch);
    } catch (error) {
      if (!(error instanceof NotPublished)) patience.failed(batch);
      throw error;
    }
    await this.#tellInTime(noted);
    return { told: batch.length, more: found.length === limit || batch.length < found.length };
  }

  async #tellInTime({ pools, leaders, rest }: Noted): Promise<void> {
    for (const [eventId, latest] of pools) {
      this.#latest.set(eventId, [...(this.#latest.get(eventId) ?? []), ...latest].slice(-LATEST_MAX));
      this.#pools.change(eventId);
    }
    for (const sessionId of leaders) this.#leaders.change(sessionId);
    if (rest.length > 0) await this.#crowds.toldSlice();
  }

  async #tellRows(
    tx: Transaction,
    batch: readonly OutboxRow[],
    { noted, patience }: { noted: Noted; patience: Patience },
  ): Promise<void> {
    const facts = batch.flatMap(({ id, fact }) => {
      if (fact !== null && !patience.isOver(id)) return [fact];
      this.#deps.log.error({ outboxId: id }, "a fact cannot be told and is left out");
      return [];
    });
    if (facts.length === 0) return;
    const { redis } = this.#deps;
    const serverTime = await readClock(tx);
    for await (const messages of tellFacts({ ...noted, tx, redis, serverTime }, facts)) {
      await broadcast(redis, messages).catch((error: unknown) => {
        throw new NotPublished("Redis did not take the messages", { cause: error });
      });
    }
  }

  async #tellPool(eventId: number): Promise<void> {
    const { pool, redis } = this.#deps;
    const latest = this.#latest.get(eventId) ?? [];
    this.#latest.delete(eventId);
    const message = await tellPool(pool.db, eventId, latest);
    if (message !== null) await broadcast(redis, [message]);
  }
}

/** Redis is away or took only some: nothing is marked, all of it is told later. */
class NotPublished extends Error {
  override readonly name = "NotPublished";
}
