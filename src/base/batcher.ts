import { isDatabaseAway } from "./database-away.ts";

type Waiting<Item, Answer> = {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};
type Queue<Item, Answer> = {
  waiting: Waiting<Item, Answer>[];
  /** How many batches are running. */
  running: number;
  /** A batch starts at the end of this turn of the event loop. */
  starting: boolean;
};
/** How batches start: see createBatcher. */
type Options = { runningMax?: number; collects?: boolean };
/** How many may wait in a queue, not counting the ones that run, and the error that the next one is refused with. */
export type Capacity = { waitingMax: number; whenFull: () => Error };

/**
 * Batches concurrent calls, for work that costs little more for many items than for one. Items that arrive while a batch is
 * running form the next batch; a lone item runs at once. Every item gets its own answer.
 * @param sizeMax the largest batch.
 * @param work answers its items in their order. It must be atomic: when it fails, each half of the batch is tried again on
 *   its own, down to the item that fails alone. When it fails because the database is away, the whole batch fails at once;
 *   retrying the items one by one would hold up the queue behind them.
 * @param options runningMax: how many batches of an owner may run at the same moment; 1 by default. collects: a batch starts
 *   only at the end of the turn of the event loop, with everything that arrived in this turn.
 * @returns a function that takes the owner of the queue, the item and, optionally, the queue's capacity. Each owner has a
 *   queue of its own, which is unbounded without a capacity.
 */
export function createBatcher<Owner extends object, Item, Answer>(
  sizeMax: number,
  work: (owner: Owner, items: readonly Item[]) => Promise<readonly Answer[]>,
  { runningMax = 1, collects = false }: Options = {},
): (owner: Owner, item: Item, capacity?: Capacity) => Promise<Answer> {
  const queues = new WeakMap<Owner, Queue<Item, Answer>>();

  const drain = async (owner: Owner, queue: Queue<Item, Answer>) => {
    queue.running += 1;
    while (queue.waiting.length > 0) await runBatch(owner, queue.waiting.splice(0, sizeMax));
    queue.running -= 1;
  };

  const start = (owner: Owner, queue: Queue<Item, Answer>) => {
    if (queue.starting || queue.running >= runningMax) return;
    if (!collects) return void drain(owner, queue);
    queue.starting = true;
    setImmediate(() => {
      queue.starting = false;
      void drain(owner, queue);
    });
  };

  /** Never rejects: every item's promise is settled instead. */
  const runBatch = async (owner: Owner, batch: Waiting<Item, Answer>[]): Promise<void> => {
    try {
      const items = batch.map(({ item }) => item);
      const answers = await work(owner, items);
      if (answers.length !== batch.length) throw new Error("a batch must answer every item");
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer);
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) return batch.forEach(({ reject }) => reject(error));
      const half = Math.ceil(batch.length / 2);
      await runBatch(owner, batch.slice(0, half));
      await runBatch(owner, batch.slice(half));
    }
  };

  return (owner, item, capacity) => {
    const queue = queues.get(owner) ?? { waiting: [], running: 0, starting: false };
    queues.set(owner, queue);
    if (capacity !== undefined && queue.waiting.length >= capacity.waitingMax) {
      return Promise.reject(capacity.whenFull());
    }
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    queue.waiting.push({ item, resolve, reject });
    start(owner, queue);
    return promise;
  };
}
