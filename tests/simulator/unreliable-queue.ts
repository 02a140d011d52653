import type { Dice } from "#jobs/demo/dice.ts";
import type { Alarm, Queues } from "#jobs/queues.ts";

/** How often a queue does what it should not, each from 0 (never) to 1 (always). */
export type Faults = { late: number; twice: number; never: number; early: number };
export const noFaults: Faults = { late: 0, twice: 0, never: 0, early: 0 };

/** An alarm on its way, and when it will ring. */
export type ScheduledAlarm = { alarm: Alarm; atMs: number };

/** A queue in memory that keeps its alarms until somebody takes them. */
export type UnreliableQueue = Pick<Queues, "setAlarm"> & {
  /** When the next alarm rings; null where none is set. */
  nextMs: () => number | null;
  /** Takes the alarm that rings next. */
  takeNext: () => ScheduledAlarm | null;
  /** Sets an alarm again that came too early, as the worker does: it then comes on time. */
  reschedule: (alarm: Alarm, delayMs: number) => void;
  /** While it is away, alarms are not taken and none ring. */
  isDown: boolean;
};

const LATE_MS_MAX = 9_000;
/** A worker waits out what is early by less than this, and real time would not move the simulation's clock. */
const EARLY_MS_MIN = 60;
const EARLY_MS_MAX = 3_000;

/**
 * Makes a queue that delivers late, twice, never, too early, and by all this out of order, as the dice fall.
 * @param nowMs the simulation's clock.
 */
export function createUnreliableQueue(dice: Dice, habits: Faults, nowMs: () => number): UnreliableQueue {
  const alarms: ScheduledAlarm[] = [];
  const add = (alarm: Alarm, atMs: number) => {
    alarms.push({ alarm, atMs });
    // Stable: what rings at the same moment rings in the order in which it was set.
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
      if (queue.isDown) throw new Error("Redis is away");
      const onTimeMs = nowMs() + Math.max(0, Math.round(delayMs));
      const copies = dice.chance(habits.twice) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        if (!dice.chance(habits.never)) add(alarm, onTimeMs + errorMs(delayMs));
      }
    },
  };
  return queue;
}
