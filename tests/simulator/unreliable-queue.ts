import type { Random } from "#src/base/random.ts";
import {
  createVirtualQueue,
  type Deliveries,
  type VirtualQueue,
} from "#src/dry-runs/simulate/virtual-queue.ts";

/** How often each fault of a queue occurs, from 0 (never) to 1 (always). */
export type Faults = { late: number; twice: number; never: number; early: number };
export const noFaults: Faults = { late: 0, twice: 0, never: 0, early: 0 };

/** A queue in memory; the simulation takes its alarms. */
export type UnreliableQueue = VirtualQueue & {
  /** While it is down, no alarm can be set and none is delivered. */
  isDown: boolean;
};

const LATE_MS_MAX = 9_000;
/** For less than this a worker waits in real time, which does not move the simulation's clock. */
const EARLY_MS_MIN = 60;
const EARLY_MS_MAX = 3_000;

/**
 * Creates a queue that delivers at random late, twice, never or too early, and therefore out of order.
 * @param nowMs the simulation's clock.
 */
export function createUnreliableQueue(dice: Random, habits: Faults, nowMs: () => number): UnreliableQueue {
  const reliable = createVirtualQueue(nowMs, deliveriesOf(dice, habits));
  const queue: UnreliableQueue = {
    ...reliable,
    isDown: false,
    nextMs: () => (queue.isDown ? null : reliable.nextMs()),
    setAlarm: async (alarm, delayMs) => {
      if (queue.isDown) throw new Error("Redis is down");
      await reliable.setAlarm(alarm, delayMs);
    },
  };
  return queue;
}

function deliveriesOf(dice: Random, habits: Faults): Deliveries {
  const errorMs = (delayMs: number): number => {
    if (dice.chance(habits.late)) return dice.between(1, LATE_MS_MAX);
    if (delayMs > EARLY_MS_MAX && dice.chance(habits.early)) return -dice.between(EARLY_MS_MIN, EARLY_MS_MAX);
    return 0;
  };
  return (delayMs) => {
    const copies = dice.chance(habits.twice) ? 2 : 1;
    return Array.from({ length: copies }, () => (dice.chance(habits.never) ? [] : [errorMs(delayMs)])).flat();
  };
}
