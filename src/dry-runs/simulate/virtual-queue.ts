import type { Alarm, Queues } from "#jobs/queues.ts";
import { REST_MS } from "#src/show/events/with-event.ts";

/** An alarm, and the moment of its delivery. */
type ScheduledAlarm = { alarm: Alarm; atMs: number };

/** The queue of alarms in memory. Nothing is delivered by itself: who runs the simulation takes the alarms. */
export type VirtualQueue = Pick<Queues, "setAlarm"> & {
  /** When the next alarm is delivered; null if none is set. */
  nextMs: () => number | null;
  /** Removes and returns the next alarm. */
  takeNext: () => ScheduledAlarm | null;
  /** Sets an alarm again that was delivered too early, as the worker does. It is then delivered on time. */
  reschedule: (alarm: Alarm, delayMs: number) => void;
};

/** How an alarm is delivered: by how many milliseconds each of its deliveries is late, or early if negative. None: it is lost. */
export type Deliveries = (delayMs: number) => readonly number[];

/**
 * Creates a queue.
 * @param nowMs the simulation's clock.
 * @param deliveries default: once, on time.
 */
export function createVirtualQueue(nowMs: () => number, deliveries: Deliveries = () => [0]): VirtualQueue {
  const alarms: ScheduledAlarm[] = [];
  const add = (alarm: Alarm, atMs: number) => {
    alarms.push({ alarm, atMs });
    // The sort is stable: alarms of the same moment are delivered in the order in which they were set.
    alarms.sort((one, other) => one.atMs - other.atMs);
  };
  return {
    nextMs: () => alarms[0]?.atMs ?? null,
    takeNext: () => alarms.shift() ?? null,
    reschedule: (alarm, delayMs) => add(alarm, nowMs() + delayMs),
    setAlarm: (alarm, delayMs) => {
      // This clock has whole milliseconds: the due moment itself is not too early.
      const onTimeMs = nowMs() + Math.max(0, Math.round(delayMs) - REST_MS);
      for (const lateMs of deliveries(delayMs)) add(alarm, onTimeMs + lateMs);
      return Promise.resolve();
    },
  };
}
