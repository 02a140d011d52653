import type { Capacity } from "./batcher.ts";

type Slots = { free: number; waiting: (() => void)[] };

/**
 * Limits how much work runs at the same time, for work that holds something scarce. The rest waits in the order of arrival.
 * @param concurrentMax how many run at the same time.
 * @param capacity how many may wait; unbounded without it.
 * @returns a function that runs the work as soon as a slot is free. Each owner has slots of its own. Rejects when the queue
 *   is full.
 */
export function createSemaphore(
  concurrentMax: number,
  capacity?: Capacity,
): <Result>(owner: object, work: () => Promise<Result>) => Promise<Result> {
  const slotsOf = new WeakMap<object, Slots>();
  return async (owner, work) => {
    const slots = slotsOf.get(owner) ?? { free: concurrentMax, waiting: [] };
    slotsOf.set(owner, slots);
    if (slots.free > 0) slots.free -= 1;
    else if (capacity !== undefined && slots.waiting.length >= capacity.waitingMax) throw capacity.whenFull();
    else await new Promise<void>((resolve) => slots.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = slots.waiting.shift();
      if (next === undefined) slots.free += 1;
      else next();
    }
  };
}
