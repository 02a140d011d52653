import { isDatabaseAway } from "#db/pool/database-errors.ts";
import type { Capacity } from "#db/pool/semaphore.ts";
import { type Cause, currentCause, runFor, sharedCause } from "./cause.ts";
import { inSharedSpan } from "./spans.ts";

type Waiting<Item, Answer> = {
  item: Item;
  cause: Cause | null;
  /** Since when it waits, from performance.now(). */
  sinceMs: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};
type Queue<Item, Answer> = {
  waiting: Waiting<Item, Answer>[];
  running: number;
  /** The next batch waits for one that is running, or for the end of this turn of the event loop. */
  heldUp: boolean;
};
/** How batches start: see createBatcher. */
type Options = {
  slowMs?: number;
  collects?: boolean;
  answersPerTurn?: number;
  overlap?: number;
  name?: string;
  onBatch?: (batch: MeasuredBatch) => void;
};
/** A batch that is done: how many items it had, how long the oldest of them waited, and how long its work took. */
export type MeasuredBatch = { size: number; waitedMs: number; tookMs: number };

/** How many batches of a queue may run at the same moment, where slow ones do not hold up the next. */
const RUNNING_MAX = 3;

/**
 * Batches concurrent calls, for work that costs little more for many items than for one. Items that arrive while a batch is
 * running form the next batch; a lone item runs at once. Every item gets its own answer.
 * @param sizeMax the largest batch.
 * @param work answers its items in their order. It must be atomic: when it fails, each half of the batch is tried again on
 *   its own, down to the item that fails alone. When it fails because the database is away, the whole batch fails at once;
 *   retrying the items one by one would hold up the queue behind them.
 * @param options slowMs: a batch that runs longer no longer holds up the next one; by default it always does. collects: a
 *   batch starts only at the end of the turn of the event loop, with everything that arrived in this turn. answersPerTurn: so
 *   many answers are delivered in a turn of the event loop, so that new items arrive between the work of the answers; by default
 *   all are delivered at once. overlap: the next batch starts when so many answers of this one are left to be delivered; by
 *   default when none is left. Their work should take about as long as a batch: with a larger overlap batches are smaller, and
 *   cost more for each item. name: of the span of a batch, where there are traces. onBatch: gets each batch that was answered; one
 *   that was divided, with each part.
 * @returns a function that takes the owner of the queue, the item and, optionally, the queue's capacity. Each owner has a
 *   queue of its own, which is unbounded without a capacity.
 */
export function createBatcher<Owner extends object, Item, Answer>(
  sizeMax: number,
  work: (owner: Owner, items: readonly Item[]) => Promise<readonly Answer[]>,
  { slowMs, collects = false, answersPerTurn = Infinity, overlap = 0, name, onBatch }: Options = {},
): (owner: Owner, item: Item, capacity?: Capacity) => Promise<Answer> {
  const queues = new WeakMap<Owner, Queue<Item, Answer>>();

  /** Runs batches until none waits, or until another batch holds them up. */
  const drain = async (owner: Owner, queue: Queue<Item, Answer>) => {
    while (queue.waiting.length > 0 && !queue.heldUp && queue.running < RUNNING_MAX)
      await runNext(owner, queue);
  };

  /** Runs one batch. It holds up the next one until it ends, or until it is slow. */
  const runNext = async (owner: Owner, queue: Queue<Item, Answer>) => {
    const letNextStart = holdUp(queue);
    const passBy = () => {
      letNextStart();
      void drain(owner, queue);
    };
    queue.running += 1;
    const timer = slowMs === undefined ? undefined : setTimeout(passBy, slowMs);
    const batch = queue.waiting.splice(0, sizeMax);
    const measure = onBatch === undefined ? undefined : measuring(batch, onBatch);
    await runBatch(
      (items) => workFor(batch, name, () => work(owner, items)),
      batch,
      (answered, answers) => {
        measure?.(answered.length);
        return deliver(answered, { answers, perTurn: answersPerTurn, overlap, startNext: passBy });
      },
    );
    clearTimeout(timer);
    queue.running -= 1;
    letNextStart();
  };

  const start = (owner: Owner, queue: Queue<Item, Answer>) => {
    if (queue.heldUp) return;
    if (!collects) return void drain(owner, queue);
    const letStart = holdUp(queue);
    setImmediate(() => {
      letStart();
      void drain(owner, queue);
    });
  };

  return (owner, item, capacity) => {
    const queue = queues.get(owner) ?? { waiting: [], running: 0, heldUp: false };
    queues.set(owner, queue);
    if (capacity !== undefined && queue.waiting.length >= capacity.waitingMax) {
      return Promise.reject(capacity.whenFull());
    }
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    queue.waiting.push({ item, cause: currentCause(), sinceMs: performance.now(), resolve, reject });
    start(owner, queue);
    return promise;
  };
}

/** Does the work of a batch for what has caused it: see sharedCause. */
function workFor<Answers>(
  batch: readonly { cause: Cause | null }[],
  name: string | undefined,
  work: () => Promise<Answers>,
): Promise<Answers> {
  const causes = batch.map(({ cause }) => cause);
  return runFor(sharedCause(causes), () => inSharedSpan(name, causes, work));
}

/** Begins to measure a batch. @returns is called with the number of items that are answered together. */
function measuring(
  batch: readonly { sinceMs: number }[],
  onBatch: (measured: MeasuredBatch) => void,
): (size: number) => void {
  const startedAtMs = performance.now();
  const waitedMs = startedAtMs - (batch[0]?.sinceMs ?? startedAtMs);
  return (size) => onBatch({ size, waitedMs, tookMs: performance.now() - startedAtMs });
}

/** Lets no batch of a queue start. @returns ends that; calling it again does nothing. */
function holdUp(queue: { heldUp: boolean }): () => void {
  queue.heldUp = true;
  let holdsUp = true;
  return () => {
    if (holdsUp) queue.heldUp = false;
    holdsUp = false;
  };
}

/** Resolves when what has arrived meanwhile was read. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

type Batch<Item, Answer> = Waiting<Item, Answer>[];

type Delivery<Answer> = {
  answers: readonly Answer[];
  perTurn: number;
  overlap: number;
  startNext: () => void;
};

async function deliver<Item, Answer>(
  batch: Batch<Item, Answer>,
  { answers, perTurn, overlap, startNext }: Delivery<Answer>,
): Promise<void> {
  const startsAt = Math.max(0, answers.length - overlap);
  for (const [index, answer] of answers.entries()) {
    if (index > 0 && index % perTurn === 0) await nextTurn();
    if (index === startsAt) startNext();
    batch[index]?.resolve(answer);
  }
}

/** Never rejects: every item's promise is settled instead. */
async function runBatch<Item, Answer>(
  work: (items: readonly Item[]) => Promise<readonly Answer[]>,
  batch: Batch<Item, Answer>,
  answer: (batch: Batch<Item, Answer>, answers: readonly Answer[]) => Promise<void>,
): Promise<void> {
  try {
    const answers = await work(batch.map(({ item }) => item));
    if (answers.length !== batch.length) throw new Error("a batch must answer every item");
    await answer(batch, answers);
  } catch (error) {
    if (batch.length === 1 || isDatabaseAway(error)) return batch.forEach(({ reject }) => reject(error));
    const half = Math.ceil(batch.length / 2);
    await runBatch(work, batch.slice(0, half), answer);
    await runBatch(work, batch.slice(half), answer);
  }
}

const BATCH_MAX = 256;
/** A batch that waits for a lock does not hold up other reads. */
const SLOW_MS = 50;

/**
 * Lets callers of the same moment share reads of the database. Example: 30 players who open the list of sessions together cost
 * one query. A read begins after all of its callers have asked, so it is never older than a read of their own.
 * @param keyOf callers with the same key share one read.
 * @param read reads for the callers of one key, at least one. It returns what gives each of them its answer.
 * @returns a function that takes the database to read from, or what contains it, and what the caller asks for.
 */
export function batchReads<Owner extends object, Asked, Answer>(
  keyOf: (asked: Asked) => unknown,
  read: (owner: Owner, callers: readonly [Asked, ...Asked[]]) => Promise<(asked: Asked) => Answer>,
): (owner: Owner, asked: Asked) => Promise<Answer> {
  const answerGroup = async (owner: Owner, group: readonly (readonly [number, Asked])[]) => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    const answerFor = await read(owner, [first[1], ...others.map(([, asked]) => asked)]);
    return group.map(([index, asked]) => ({ index, answer: answerFor(asked) }));
  };
  return createBatcher(
    BATCH_MAX,
    async (owner: Owner, asked: readonly Asked[]) => {
      const groups = Map.groupBy([...asked.entries()], ([, each]) => keyOf(each));
      const answers = await Promise.all([...groups.values()].map((group) => answerGroup(owner, group)));
      return answers
        .flat()
        .toSorted((one, other) => one.index - other.index)
        .map(({ answer }) => answer);
    },
    { slowMs: SLOW_MS, collects: true },
  );
}
