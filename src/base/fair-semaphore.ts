type Waiting = { start: () => void; refuse: (error: Error) => void };
type Limits = {
  /** How much work runs at the same time. */
  concurrentMax: number;
  /** How many may wait, over all keys. */
  waitingMax: number;
  whenFull: () => Error;
};

/**
 * Limits how much work runs at the same time, for work that many strangers ask for. Each key waits in a queue of its own, and
 * the queues take turns. When too many wait, the last of the longest queue is refused. So one key with a thousand requests
 * neither holds up nor displaces the request of another.
 * @returns a function that runs the work for a key as soon as it is its turn. Rejects when it is refused.
 */
export function createFairSemaphore({
  concurrentMax,
  waitingMax,
  whenFull,
}: Limits): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  /** In the order of their turns. None is empty. */
  const queues = new Map<string, Waiting[]>();
  let free = concurrentMax;
  let waitingCount = 0;

  const turn = (key: string) =>
    new Promise<void>((start, refuse) => {
      const queue = queues.get(key) ?? [];
      queue.push({ start, refuse });
      queues.set(key, queue);
      waitingCount += 1;
      if (waitingCount > waitingMax) refuseOne();
    });

  const refuseOne = () => {
    const [longest] = [...queues].toSorted(([, one], [, other]) => other.length - one.length);
    if (longest === undefined) return;
    const [key, queue] = longest;
    const last = queue.pop();
    if (queue.length === 0) queues.delete(key);
    waitingCount -= 1;
    last?.refuse(whenFull());
  };

  const passOn = () => {
    const [first] = queues;
    if (first === undefined) {
      free += 1;
      return;
    }
    const [key, queue] = first;
    const next = queue.shift();
    // The key's next turn comes after those of all others.
    queues.delete(key);
    if (queue.length > 0) queues.set(key, queue);
    waitingCount -= 1;
    next?.start();
  };

  return async (key, work) => {
    if (free > 0) free -= 1;
    else await turn(key);
    try {
      return await work();
    } finally {
      passOn();
    }
  };
}
