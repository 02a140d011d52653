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

/** Payload of a mail that is to be sent: its row. */
export const mailPayload = v.strictObject({ mailId: v.pipe(v.number(), v.integer(), v.minValue(1)) });
export type MailJob = v.InferOutput<typeof mailPayload>;

/** Payload of a picture whose sizes are to be made: whose it is, and the upload. */
export const avatarPayload = v.strictObject({
  userId: v.pipe(v.number(), v.integer(), v.minValue(1)),
  blobId: v.pipe(v.number(), v.integer(), v.minValue(1)),
});
export type AvatarJob = v.InferOutput<typeof avatarPayload>;

/** Payload of a settlement that is to be paid in parts, and whose it is. */
export const settlementPayload = v.strictObject({
  settlementId: v.pipe(v.number(), v.integer(), v.minValue(1)),
  eventId: v.pipe(v.number(), v.integer(), v.minValue(1)),
});
export type SettlementJob = v.InferOutput<typeof settlementPayload>;

export const queueNames = {
  transitions: "transitions",
  settlements: "settlements",
  mails: "mails",
  pictures: "pictures",
} as const;

/** The queues that requests and verbs write to. */
export type Queues = {
  /**
   * Sets the alarm for one transition. Setting it again, or an old version's, does no harm: the handler re-reads the row.
   * @param delayMs from now; 0 or less is at once. Rejects while Redis is away.
   */
  setAlarm: (alarm: Alarm, delayMs: number) => Promise<void>;
  /** Has what is decided on an event paid, part after part. Asking again does no harm. Rejects while Redis is away. */
  paySettlement: (settlement: SettlementJob) => Promise<void>;
  /** Has a mail sent at once. Asking again does no harm. Rejects while Redis is away. */
  sendMail: (mail: MailJob) => Promise<void>;
  /** Has the sizes of an avatar made. Asking again does no harm. Rejects while Redis is away. */
  makeAvatar: (avatar: AvatarJob) => Promise<void>;
  transitions: Queue;
  settlements: Queue;
  mails: Queue;
  pictures: Queue;
  close: () => Promise<void>;
};

const jobOptions = {
  attempts: ATTEMPTS_MAX,
  backoff: { type: "exponential", delay: RETRY_DELAY_MS },
  removeOnComplete: true,
  removeOnFail: { age: 86_400, count: 1_000 },
};

/** Opens the queues on a connection that stays the caller's to close. */
export function createQueues(connection: Redis): Queues {
  const transitions = new Queue(queueNames.transitions, { connection });
  const settlements = new Queue(queueNames.settlements, { connection });
  const mails = new Queue(queueNames.mails, { connection });
  const pictures = new Queue(queueNames.pictures, { connection });
  const all = [transitions, settlements, mails, pictures];
  for (const queue of all) queue.on("error", () => undefined);
  return {
    transitions,
    settlements,
    mails,
    pictures,
    close: async () => {
      await Promise.all(all.map((queue) => queue.close()));
    },
    paySettlement: async (settlement) => {
      await settlements.add("pay_settlement", settlement, {
        jobId: `settlement-${settlement.settlementId}`,
        ...jobOptions,
      });
    },
    sendMail: async (mail) => {
      await mails.add("send_mail", mail, { jobId: `mail-${mail.mailId}`, ...jobOptions });
    },
    makeAvatar: async (avatar) => {
      await pictures.add("make_avatar", avatar, {
        jobId: `avatar-${avatar.userId}-${avatar.blobId}`,
        ...jobOptions,
      });
    },
    setAlarm: async (alarm, delayMs) => {
      const jobId = `event-${alarm.eventId}-${alarm.transition}-v${alarm.version}`;
      await transitions.add(alarm.transition, alarm, {
        jobId,
        delay: Math.max(0, Math.round(delayMs)),
        ...jobOptions,
      });
    },
  };
}
