// Decision: one semaphore bounds whatever is scarce: connections, settlements, hashes, pictures. It is here because db imports only
// db. Packages such as p-limit and async-sema have neither a bound of what waits nor turns by key.

type Waiting = { start: () => void; refuse: (error: Error) => void };

/** How many may wait in a queue, not counting what runs, and the error that the next one is refused with. */
export type Capacity = { waitingMax: number; whenFull: () => Error };

/** How a semaphore is used. `waits`, `waitedMs`: how often and how long work has waited so far. */
export type SemaphoreCounts = {
  size: number;
  running: number;
  waiting: number;
  waits: number;
  waitedMs: number;
};

/**
 * Limits how much work runs at the same time. The rest waits, oldest first. Work of strangers has a key, such as their network:
 * each key waits in a queue of its own, and the queues take turns. When too many wait, the last of the longest queue is refused. So
 * one key with a thousand requests neither holds up nor displaces the request of another.
 */
export class Semaphore {
  readonly #size: number;
  readonly #capacity: Capacity | null;
  /** In the order of their turns. None is empty. */
  readonly #queues = new Map<string, Waiting[]>();
  #running = 0;
  #waiting = 0;
  #waits = 0;
  #waitedMs = 0;

  /** @param size how much work runs at the same time. Without a capacity any number may wait. */
  constructor(size: number, capacity: Capacity | null = null) {
    this.#size = size;
    this.#capacity = capacity;
  }

  counts(): SemaphoreCounts {
    const [size, running, waiting] = [this.#size, this.#running, this.#waiting];
    return { size, running, waiting, waits: this.#waits, waitedMs: this.#waitedMs };
  }

  /** Runs the work when it is its turn. Rejects when it is refused. */
  async run<Result>(work: () => Promise<Result>, key = ""): Promise<Result> {
    if (this.#running < this.#size) this.#running += 1;
    else await this.#turn(key);
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  refuseWaiting(makeError: () => Error): void {
    const waiting = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#waiting = 0;
    for (const { refuse } of waiting) refuse(makeError());
  }

  async #turn(key: string): Promise<void> {
    const sinceMs = performance.now();
    const { promise, resolve: start, reject: refuse } = Promise.withResolvers<void>();
    const queue = this.#queues.get(key) ?? [];
    queue.push({ start, refuse });
    this.#queues.set(key, queue);
    this.#waiting += 1;
    this.#waits += 1;
    if (this.#capacity !== null && this.#waiting > this.#capacity.waitingMax) this.#refuseOne(this.#capacity);
    await promise;
    this.#waitedMs += performance.now() - sinceMs;
  }

  #refuseOne({ whenFull }: Capacity): void {
    const [longest] = [...this.#queues].toSorted(([, one], [, other]) => other.length - one.length);
    if (longest === undefined) return;
    const [key, queue] = longest;
    const last = queue.pop();
    if (queue.length === 0) this.#queues.delete(key);
    this.#waiting -= 1;
    last?.refuse(whenFull());
  }

  /** Hands the place of work that has ended to the next queue's oldest. */
  #passOn(): void {
    const [first] = this.#queues;
    if (first === undefined) {
      this.#running -= 1;
      return;
    }
    const [key, queue] = first;
    const next = queue.shift();
    // The key's next turn comes after those of all others.
    this.#queues.delete(key);
    if (queue.length > 0) this.#queues.set(key, queue);
    this.#waiting -= 1;
    next?.start();
  }
}

/** Gives each owner, such as a pool of connections, a semaphore of its own. */
export function semaphorePerOwner(size: number): (owner: object) => Semaphore {
  const semaphores = new WeakMap<object, Semaphore>();
  return (owner) => {
    const semaphore = semaphores.get(owner) ?? new Semaphore(size);
    semaphores.set(owner, semaphore);
    return semaphore;
  };
}
