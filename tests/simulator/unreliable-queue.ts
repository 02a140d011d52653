import type { Dice } from "#jobs/demo/dice.ts";
import type { Alarm, Queues } from "#jobs/queues.ts";

/** How often each fault of a queue occurs, from 0 (never) to 1 (always). */
export type Faults = { late: number; twice: number; never: number; early: number };
export const noFaults: Faults = { late: 0, twice: 0, never: 0, early: 0 };

/** An alarm, and the moment of its delivery. */
export type ScheduledAlarm = { alarm: Alarm; atMs: number };

/** A queue in memory; the simulation takes its alarms. */
export type UnreliableQueue = Pick<Queues, "setAlarm"> & {
  /** When the next alarm is delivered; null if none is set. */
  nextMs: () => number | null;
  /** Removes and returns the next alarm. */
  takeNext: () => ScheduledAlarm | null;
  /** Sets an alarm again that was delivered too early, as the worker does. It is then delivered on time. */
  reschedule: (alarm: Alarm, delayMs: number) => void;
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
export function createUnreliableQueue(dice: Dice, habits: Faults, nowMs: () => number): UnreliableQueue {
  const alarms: ScheduledAlarm[] = [];
  const add = (alarm: Alarm, atMs: number) => {
    alarms.push({ alarm, atMs });
    // The sort is stable: alarms of the same moment are delivered in the order in which they were set.
    alarms.sort((one, other) => one.atMs - other.atMs);
  };
  const errorMs = (delayMs: number): number => {
    if (dice.chance(habits.late)) return dice.between(1, LATE_MS_MAX);
    if (delayMs > EARLY_MS_MAX && dice.chance(habits.early)) return -dice.between(EARLY_MS_MIN, EARLY_MS_MAX);
    return 0;
  };
  const queue: UnreliableQueue = {
    isDown: false,
    nextMs: () => (queue.isDown ? null : (alarms[0]?.atMs ?? null)),
    takeNext: () => alarms.shift() ?? null,
    reschedule: (alarm, delayMs) => add(alarm, nowMs() + delayMs),
    setAlarm: async (alarm, delayMs) => {
      if (queue.isDown) throw new Error("Redis is down");
      const onTimeMs = nowMs() + Math.max(0, Math.round(delayMs));
      const copies = dice.chance(habits.twice) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        if (!dice.chance(habits.never)) add(alarm, onTimeMs + errorMs(delayMs));
      }
    },
  };
  return queue;
}
