import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import * as v from "valibot";
import { timedTransitions } from "#db/lists/events.ts";

/** Every job may run again: it carries ids only, and its verb re-reads the rows. */
const jobOptions = {
  attempts: 5,
  backoff: { type: "exponential", delay: 250 },
  removeOnComplete: true,
  removeOnFail: { age: 86_400, count: 1_000 },
};

const rowId = v.pipe(v.number(), v.integer(), v.minValue(1));

/** An alarm: this event is due for this transition, as scheduled in this version. */
const alarmPayload = v.strictObject({
  eventId: rowId,
  transition: v.picklist(timedTransitions),
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
export type Alarm = v.InferOutput<typeof alarmPayload>;

/**
 * All queues of the product, one entry each. The key is the method that adds a job: `deps.queues.sendMail({ mailId: 7 })`.
 *
 * To add a queue, add an entry here (what a job carries) and one under the same key in `jobs/workers.ts` (how it is done).
 * The types fail until both are there. Everything else reads these two lists: `deps.queues`, the worker process, the
 * dashboard.
 *
 * They are two lists and not one because src imports this file: with the verbs in it, the imports would form a cycle.
 */
export const queueDefinitions = {
  /** Sets the alarm for one transition, `delayMs` from now; 0 or less is at once. */
  setAlarm: defineQueue({
    name: "transitions",
    payload: alarmPayload,
    toJob: ({ eventId, transition, version }: Alarm, delayMs: number) => ({
      name: transition,
      id: `event-${eventId}-${transition}-v${version}`,
      delayMs,
    }),
  }),
  /** Pays what was decided for an event. `version` is the event's version after the decision. */
  paySettlement: defineQueue({
    name: "settlements",
    payload: v.strictObject({ eventId: rowId }),
    toJob: ({ eventId }: { eventId: number }, version: number) => ({
      name: "pay_settlement",
      id: `event-${eventId}-v${version}`,
    }),
  }),
  /** Sends a mail now. */
  sendMail: defineQueue({
    name: "mails",
    payload: v.strictObject({ mailId: rowId }),
    toJob: ({ mailId }) => ({ name: "send_mail", id: `mail-${mailId}` }),
  }),
  /** Makes the sizes of an avatar from an upload. */
  makeAvatar: defineQueue({
    name: "pictures",
    payload: v.strictObject({ userId: rowId, blobId: rowId }),
    toJob: ({ userId, blobId }) => ({ name: "make_avatar", id: `avatar-${userId}-${blobId}` }),
  }),
};

type Definitions = typeof queueDefinitions;
export type JobKind = keyof Definitions;
export type JobPayload<Kind extends JobKind> = v.InferOutput<Definitions[Kind]["payload"]>;
type QueueName = Definitions[JobKind]["name"];

/** The methods that add jobs. Adding the same job twice does no harm. All of them reject while Redis is away. */
type Producers = { [Kind in JobKind]: ReturnType<Definitions[Kind]["openProducer"]> };

export type Queues = Producers & {
  /** BullMQ's own objects, for the dashboard. */
  byName: Readonly<Record<QueueName, Queue>>;
  close: () => Promise<void>;
};

export const jobKinds: readonly JobKind[] = Object.keys(queueDefinitions).filter(
  (key): key is JobKind => key in queueDefinitions,
);

/** Opens all queues on a connection, which the caller closes afterwards. */
export function createQueues(connection: Redis): Queues {
  const opened = jobKinds.map((kind) => {
    const { name, openProducer } = queueDefinitions[kind];
    const queue = new Queue(name, { connection });
    queue.on("error", () => undefined);
    return { name, queue, kind, add: openProducer(queue) };
  });
  // As `unknown[][]`, because Object.fromEntries cannot type each key by itself.
  const producers: unknown[][] = opened.map(({ kind, add }) => [kind, add]);
  const queues: unknown[][] = opened.map(({ name, queue }) => [name, queue]);
  const methods: Producers = Object.fromEntries(producers);
  const byName: Queues["byName"] = Object.fromEntries(queues);
  return {
    ...methods,
    byName,
    close: async () => {
      await Promise.all(opened.map(({ queue }) => queue.close()));
    },
  };
}

type Job = {
  name: string;
  /** A job with the id of one that is still queued is not added. */
  id: string;
  delayMs?: number;
};

type Definition<Name extends string, Payload, More extends unknown[]> = {
  /** BullMQ's name, which the dashboard shows. */
  name: Name;
  payload: v.GenericSchema<Payload>;
  /** What the method takes besides the payload becomes part of the job. */
  toJob: (payload: Payload, ...more: More) => Job;
};

function defineQueue<const Name extends string, Payload, More extends unknown[]>(
  definition: Definition<Name, Payload, More>,
) {
  const openProducer =
    (queue: Queue) =>
    async (payload: Payload, ...more: More): Promise<void> => {
      const { name, id, delayMs = 0 } = definition.toJob(payload, ...more);
      await queue.add(name, payload, {
        jobId: id,
        delay: Math.max(0, Math.round(delayMs)),
        ...jobOptions,
      });
    };
  return { name: definition.name, payload: definition.payload, openProducer };
}
