import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import * as v from "valibot";

const ATTEMPTS_MAX = 5;
const RETRY_DELAY_MS = 250;

const transitionNames = ["publish_event", "open_event", "close_event", "resolve"] as const;

/** Payload of an alarm: this event is due for this transition, as scheduled in this version. */
export const alarmPayload = v.strictObject({
  eventId: v.pipe(v.number(), v.integer(), v.minValue(1)),
  transition: v.picklist(transitionNames),
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
export type Alarm = v.InferOutput<typeof alarmPayload>;

export const queueNames = { transitions: "transitions" } as const;

/** The queues that requests and verbs write to. */
export type Queues = {
  /**
   * Sets the alarm for one transition. Setting it again, or an old version's, does no harm: the handler re-reads the row.
   * @param delayMs from now; 0 or less is at once. Rejects while Redis is away.
   */
  setAlarm: (alarm: Alarm, delayMs: number) => Promise<void>;
  transitions: Queue;
  close: () => Promise<void>;
};

/** Opens the queues on a connection that stays the caller's to close. */
export function createQueues(connection: Redis): Queues {
  const transitions = new Queue(queueNames.transitions, { connection });
  transitions.on("error", () => undefined);
  return {
    transitions,
    close: () => transitions.close(),
    setAlarm: async (alarm, delayMs) => {
      const jobId = `event-${alarm.eventId}-${alarm.transition}-v${alarm.version}`;
      await transitions.add(alarm.transition, alarm, {
        jobId,
        delay: Math.max(0, Math.round(delayMs)),
        attempts: ATTEMPTS_MAX,
        backoff: { type: "exponential", delay: RETRY_DELAY_MS },
        removeOnComplete: true,
        removeOnFail: { age: 86_400, count: 1_000 },
      });
    },
  };
}
