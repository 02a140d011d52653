import { Queue } from "bullmq";
import * as v from "valibot";
import { timedTransitions } from "#db/lists/events.ts";
import { pushSubjects } from "#db/lists/notifications.ts";
import type { QueueName } from "#db/lists/queues.ts";
import { carryCause } from "./cause.ts";
import { queuePrefix } from "./redis-keys.ts";
import type { RedisClient } from "./redis.ts";

/** The newest of those that are done stay for the dashboard. */
const jobOptions = {
  attempts: 5,
  backoff: { type: "exponential", delay: 250 },
  removeOnComplete: { count: 1_000 },
  removeOnFail: { age: 86_400, count: 1_000 },
};

// Payloads are read without what they do not name, because during an upgrade a newer release adds jobs too.
const rowId = v.pipe(v.number(), v.integer(), v.minValue(1));

/** What many players may want to hear of: a session that is live, the results of an event or of a part of its players, or notifications. */
const pushSource = v.variant("about", [
  v.object({ about: v.literal("session"), id: rowId }),
  v.object({
    about: v.literal("event"),
    id: rowId,
    fromUserId: v.optional(v.number()),
    toUserId: v.optional(v.number()),
  }),
  v.object({ about: v.literal("notifications"), ids: v.array(rowId) }),
]);
export type PushSource = v.InferOutput<typeof pushSource>;

/** A message to one browser, as the release before orders it: without a row. */
const pushOrder = v.object({
  subscriptionId: rowId,
  about: v.picklist(pushSubjects),
  id: rowId,
});
export type PushOrder = v.InferOutput<typeof pushOrder>;

/** An alarm: this event is due for this transition, as scheduled in this version. */
const alarmPayload = v.object({
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
 */
export const queueDefinitions = {
  /** Sets the alarm for one transition, `delayMs` from now, or from that moment of performance.now(); 0 or less is at once. */
  setAlarm: defineQueue({
    name: "transitions",
    payload: alarmPayload,
    toJob: ({ eventId, transition, version }: Alarm, delayMs: number, sinceMs?: number) => ({
      name: transition,
      about: `event-${eventId}-${transition}-v${version}`,
      delayMs: sinceMs === undefined ? delayMs : delayMs + sinceMs - performance.now(),
    }),
  }),
  /** Pays what was decided for an event. `version` is the event's version after the decision. */
  paySettlement: defineQueue({
    name: "settlements",
    payload: v.object({ eventId: rowId }),
    toJob: ({ eventId }: { eventId: number }, version: number) => ({
      name: "pay_settlement",
      about: `event-${eventId}-v${version}`,
    }),
  }),
  /** Sends a mail that is due at this time, 0 for one that was just written: another time is another job. */
  sendMail: defineQueue({
    name: "mails",
    payload: v.object({ mailId: rowId }),
    toJob: ({ mailId }: { mailId: number }, dueMs: number) => ({
      name: "send_mail",
      about: `mail-${mailId}-${dueMs}`,
    }),
  }),
  makeAvatar: defineQueue({
    name: "pictures",
    payload: v.object({ userId: rowId, blobId: rowId }),
    toJob: ({ userId, blobId }) => ({ name: "make_avatar", about: `avatar-${userId}-${blobId}` }),
  }),
  /** Draws the picture of a link, a little later: the player's own browser asks for it at once, and waits 2.5 s. */
  drawPicture: defineQueue({
    name: "link-pictures",
    payload: v.object({ shareId: rowId }),
    toJob: ({ shareId }) => ({ name: "draw_picture", about: `share-${shareId}`, delayMs: 3_000 }),
  }),
  performDryRun: defineQueue({
    name: "dry-runs",
    payload: v.object({ dryRunId: rowId }),
    toJob: ({ dryRunId }) => ({ name: "perform_dry_run", about: `dry-run-${dryRunId}` }),
  }),
  /** Sends a message to a webhook, in the same way. */
  deliverWebhook: defineQueue({
    name: "webhooks",
    payload: v.object({ deliveryId: rowId }),
    toJob: ({ deliveryId }: { deliveryId: number }, dueMs: number) => ({
      name: "deliver_webhook",
      about: `delivery-${deliveryId}-${dueMs}`,
    }),
  }),
  /** Writes a message for each browser that shows one about this while no page is open. */
  fanOutPushes: defineQueue({
    name: "push-fan-outs",
    payload: pushSource,
    toJob: (source: PushSource) => ({ name: source.about, about: subjectOf(source) }),
  }),
  /** Sends a message to one browser, as a mail is sent. */
  sendPush: defineQueue({
    name: "pushes",
    payload: v.union([v.object({ pushId: rowId }), pushOrder]),
    toJob: (push: { pushId: number } | PushOrder, dueMs: number) => ({
      name: "send_push",
      about: `push-${"pushId" in push ? push.pushId : push.id}-${dueMs}`,
    }),
  }),
};

type Definitions = typeof queueDefinitions;
export type JobKind = keyof Definitions;
export type JobPayload<Kind extends JobKind> = v.InferOutput<Definitions[Kind]["payload"]>;

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
export function createQueues(connection: RedisClient): Queues {
  const opened = jobKinds.map((kind) => {
    const { name, openProducer } = queueDefinitions[kind];
    const queue = new Queue(name, { connection, prefix: queuePrefix(connection, name) });
    queue.on("error", () => undefined);
    return { name, queue, kind, add: openProducer(queue) };
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries cannot type each key by itself.
  const methods = Object.fromEntries(opened.map(({ kind, add }) => [kind, add])) as Producers;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries cannot type each key by itself.
  const byName = Object.fromEntries(opened.map(({ name, queue }) => [name, queue])) as Queues["byName"];
  return {
    ...methods,
    byName,
    close: async () => {
      await Promise.all(opened.map(({ queue }) => queue.close()));
    },
  };
}

function subjectOf(source: PushSource): string {
  if (source.about === "notifications") return `notifications-${source.ids[0] ?? 0}`;
  return `${source.about}-${source.id}${source.about === "event" ? `-${source.fromUserId ?? 0}` : ""}`;
}

type Job = {
  name: string;
  /** What it is about. While a job is waiting, delayed or running, another one about the same is not added. */
  about: string;
  delayMs?: number;
};

type Definition<Name extends string, Payload, More extends unknown[]> = {
  /** BullMQ's name, which the dashboard shows. */
  name: Name;
  payload: v.GenericSchema<Payload>;
  /** What the method takes besides the payload becomes part of the job. */
  toJob: (payload: Payload, ...more: More) => Job;
};

function defineQueue<const Name extends QueueName, Payload, More extends unknown[]>(
  definition: Definition<Name, Payload, More>,
) {
  const openProducer =
    (queue: Queue) =>
    async (payload: Payload, ...more: More): Promise<void> => {
      const { name, about, delayMs = 0 } = definition.toJob(payload, ...more);
      const cause = carryCause();
      await queue.add(name, payload, {
        // Not its id: the id of a job that is done keeps the same job from being added again for as long as it is listed.
        deduplication: { id: about },
        // Where BullMQ's own telemetry has it. Not in the payload, which workers of the release before must be able to read.
        ...(cause !== undefined && { telemetry: { metadata: cause } }),
        delay: Math.max(0, Math.ceil(delayMs)),
        ...jobOptions,
      });
    };
  return { name: definition.name, payload: definition.payload, openProducer };
}
