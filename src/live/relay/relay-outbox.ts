import { inTransaction, type Transaction } from "#db/client.ts";
import { isDatabaseAway, isDatabaseChanged } from "#db/pool/database-errors.ts";
import type { Deps } from "#src/base/deps.ts";
import { enqueueDue } from "#src/base/due-rows.ts";
import {
  findUnsent,
  hasUnsentFacts,
  type Lane,
  limitBatch,
  markSent,
  type OutboxRow,
  pruneSent,
  readClock,
  takeRelayLock,
} from "#src/base/outbox/outbox-rows.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { broadcast } from "#src/base/streams/broadcast.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { withOffset } from "#src/base/streams/stream-offsets.ts";
import { noteFailure } from "#src/base/try-rows.ts";
import { enqueuePushes } from "#src/people/push/deliver-push.ts";
import { type BroadcastFact, deliveryRows, writeDeliveries } from "#src/webhooks/deliver-webhook.ts";
import type { MessageContext, RelayedMessage } from "./address-message.ts";
import { buildMessages } from "./build-messages.ts";
import { type Coalescer, createLeadersMessages, PoolMessages } from "./coalesced-messages.ts";
import { RelayLease } from "./relay-lease.ts";

/** After this, pages learn of it: a Redis that fails over, or a fact that is tried again, takes less. */
const STUCK_AFTER_MS = 3_000;

/** For how long a relay has broadcast nothing although there was something. */
class FailingTime {
  #beganAtMs = 0;
  #sinceMs: number | null = null;

  /** The next try begins. */
  begins(): void {
    this.#beganAtMs = performance.now();
  }

  /** That try has failed, perhaps after it has waited for long. */
  failed(): void {
    this.#sinceMs ??= this.#beganAtMs;
  }

  /** All that was there was broadcast, by this relay or by another one. */
  succeeded(): void {
    this.#sinceMs = null;
  }

  get isLong(): boolean {
    return this.#sinceMs !== null && performance.now() - this.#sinceMs >= STUCK_AFTER_MS;
  }
}

const FACTS_AT_ONCE = 200;

/** Finds the fact that makes a batch fail: after a failed batch, the next 200 facts are sent one by one. */
class RetryPolicy {
  /** How many facts are still sent one by one. */
  #singlesLeft = 0;

  /** How many facts to take at once. */
  get limit(): number {
    return this.#singlesLeft > 0 ? 1 : FACTS_AT_ONCE;
  }

  succeeded(batch: readonly unknown[]): void {
    this.#singlesLeft = batch.length === 0 ? 0 : Math.max(0, this.#singlesLeft - 1);
  }

  failed(): void {
    this.#singlesLeft = FACTS_AT_ONCE;
  }
}

/** Redis is away or accepted only a part. No fact is marked; all of them are broadcast again later. */
class BroadcastFailed extends Error {
  override readonly name = "BroadcastFailed";
}

const SWEEP_EVERY_MS = 1_000;
const PRUNE_EVERY_MS = 5 * 60_000;
/** While facts arrive without a pause, the relay pauses between its runs: verbs go first, and a run takes many facts at once. */
const PAUSE_MS = 25;

export type RelayDeps = Pick<Deps, "env" | "pool" | "redis" | "queues" | "log">;

export type Relay = {
  /** Broadcasts at once what is committed by now, instead of with the next sweep. Returns at once. */
  notify: () => void;
  /** True while it could broadcast nothing for 3 s, although there was something: pages may be behind. */
  isStuck: () => boolean;
  /** Broadcasts what is committed by now, as far as it can, and ends. */
  stop: () => Promise<void>;
};

/** What is left to do after the transaction of a batch. */
type Deferred = Pick<MessageContext, "changedPools" | "changedLeaders" | "followUps">;

/**
 * Broadcasts the facts of the outbox in their order. A lock lets one of all processes work at a time.
 *
 * Delivery is at least once. Facts that Redis did not accept stay in the outbox. A crash between broadcasting and marking
 * broadcasts facts twice; the versions in the messages make that harmless. Facts about a large settlement are broadcast in
 * slices, with all other facts in between. A fact that cannot be broadcast is tried again with growing pauses, and holds up no other.
 */
class OutboxRelay implements Relay {
  readonly #deps: RelayDeps;
  readonly #pools: PoolMessages;
  readonly #leaders: Coalescer;
  readonly #retryPolicies = { facts: new RetryPolicy(), followUps: new RetryPolicy() };
  readonly #failing = new FailingTime();
  readonly #timers = [
    setInterval(() => this.#sweep(), SWEEP_EVERY_MS),
    setInterval(() => this.#prune(), PRUNE_EVERY_MS),
  ];
  #draining: Promise<void> | null = null;
  #notifications = 0;
  /** False while there is certainly no slice to send. */
  #expectsSlices = false;
  #stopped = false;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
    this.#pools = new PoolMessages(deps);
    this.#leaders = createLeadersMessages(deps);
  }

  isStuck(): boolean {
    return this.#failing.isLong;
  }

  readonly notify = (): void => {
    if (this.#stopped) return;
    this.#notifications += 1;
    this.#draining ??= this.#drain();
  };

  #sweep(): void {
    if (this.#draining !== null) return;
    hasUnsentFacts(this.#deps.pool.db).then(
      (unsent) => {
        if (!unsent) return this.#failing.succeeded();
        this.#expectsSlices = true;
        this.notify();
      },
      (error: unknown) =>
        this.#deps.log.debug({ err: error }, "the outbox could not be swept; the next sweep tries again"),
    );
  }

  #prune(): void {
    pruneSent(this.#deps.pool.db).catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, "the outbox could not be pruned; the next pass tries again"),
    );
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    // Once more, for what was committed during the last run.
    this.notify();
    this.#stopped = true;
    await this.#draining;
    await Promise.all([this.#pools.stop(), this.#leaders.stop()]);
  }

  async #drain(): Promise<void> {
    try {
      for (let handled = 0; handled !== this.#notifications;) {
        handled = this.#notifications;
        // Alternates, so that neither lane waits until the other is empty.
        for (let more = true; more;) {
          this.#failing.begins();
          const facts = await this.#sendBatch("facts");
          // Behind a first slice the other facts come first.
          more = facts.leavesSlices || (await this.#sendSlice()) || facts.more;
        }
        this.#failing.succeeded();
        if (handled !== this.#notifications && !this.#stopped) await Bun.sleep(PAUSE_MS);
      }
    } catch (error) {
      this.#failing.failed();
      this.#deps.log.warn({ err: error }, "the outbox could not be broadcast; the next sweep tries again");
    } finally {
      this.#draining = null;
    }
  }

  /** Broadcasts the next slice of a large settlement, if there is one. @returns whether one was sent. */
  async #sendSlice(): Promise<boolean> {
    if (this.#stopped || !this.#expectsSlices) return false;
    const { sent } = await this.#sendBatch("followUps");
    this.#expectsSlices = sent > 0;
    return sent > 0;
  }

  /** @returns how many facts were sent, and what is left. Facts that are written later notify by themselves. */
  async #sendBatch(lane: Lane): Promise<{ sent: number; more: boolean; leavesSlices: boolean }> {
    const retryPolicy = this.#retryPolicies[lane];
    const deferred: Deferred = { changedPools: new Map(), changedLeaders: new Set(), followUps: [] };
    const { limit } = retryPolicy;
    let [unsent, batch]: [OutboxRow[], OutboxRow[]] = [[], []];
    const deliveries: { id: number }[] = [];
    try {
      await inTransaction(this.#deps.pool.db, async (tx) => {
        await takeRelayLock(tx);
        unsent = await findUnsent(tx, lane, limit);
        batch = limitBatch(unsent);
        deliveries.push(...(await this.#sendRows(tx, batch, deferred)));
        await writeFacts(tx, deferred.followUps);
        await markSent(tx, batch);
      });
      retryPolicy.succeeded(batch);
    } catch (error) {
      // What is away is no fault of a fact.
      if (error instanceof BroadcastFailed || isDatabaseAway(error) || isDatabaseChanged(error)) throw error;
      retryPolicy.failed();
      const [only, ...others] = batch;
      if (only === undefined) throw error;
      if (others.length === 0) await noteFailure(this.#deps, { kind: "fact", id: only.id, error });
      return { sent: 0, more: true, leavesSlices: false };
    }
    this.#sendDeferred(deferred);
    await enqueueDue(this.#deps, deliveryRows, deliveries);
    const more = unsent.length === limit || batch.length < unsent.length;
    return { sent: batch.length, more, leavesSlices: deferred.followUps.length > 0 };
  }

  #sendDeferred({ changedPools, changedLeaders, followUps }: Deferred): void {
    for (const [eventId, calls] of changedPools) this.#pools.change(eventId, calls);
    for (const sessionId of changedLeaders) this.#leaders.change(sessionId);
    this.#expectsSlices ||= followUps.length > 0;
  }

  /** @returns the deliveries to webhooks, which are sent after the commit. */
  async #sendRows(
    tx: Transaction,
    batch: readonly OutboxRow[],
    deferred: Deferred,
  ): Promise<{ id: number }[]> {
    const facts = batch.flatMap(({ id, fact }) => {
      if (fact !== null) return [fact];
      this.#deps.log.error({ outboxId: id }, "a fact cannot be read and is left out");
      return [];
    });
    if (facts.length === 0) return [];
    const { redis, queues } = this.#deps;
    const lease = new RelayLease(tx);
    const serverTime = await readClock(tx);
    const deliveries: { id: number }[] = [];
    for await (const messages of buildMessages({ ...deferred, tx, redis, serverTime }, facts)) {
      await lease.prove();
      const offsets = await broadcast(redis, messages).catch((error: unknown) => {
        throw new BroadcastFailed("Redis did not accept the messages", { cause: error });
      });
      deliveries.push(...(await writeDeliveries(tx, broadcastFacts(batch, messages, offsets))));
    }
    await enqueuePushes(queues, facts).catch((error: unknown) => {
      throw new BroadcastFailed("Redis did not accept the jobs", { cause: error });
    });
    return deliveries;
  }
}

export const createRelay = (deps: RelayDeps): Relay => new OutboxRelay(deps);

/**
 * The facts that were just broadcast to everyone in a session, for the webhooks: each with the JSON that clients get.
 * @param batch the rows of the facts.
 * @param offsets of the messages, in their order.
 */
function broadcastFacts(
  batch: readonly OutboxRow[],
  messages: readonly RelayedMessage[],
  offsets: readonly StreamOffset[],
): BroadcastFact[] {
  return messages.flatMap(({ about, text }, index) => {
    const row = about === undefined ? undefined : batch.find(({ fact }) => fact === about.fact);
    const offset = offsets[index];
    if (about === undefined || row === undefined || offset === undefined) return [];
    const wasPrivate = about.fact.kind === "session_destroyed" && about.fact.private === true;
    return [{ factId: row.id, type: about.type, body: withOffset(text, offset), wasPrivate }];
  });
}
