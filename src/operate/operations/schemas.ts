import * as v from "valibot";
import { timedTransitions } from "#db/lists/events.ts";
import { mailKinds } from "#db/lists/mails.ts";
import { dateField, moment, rowId } from "#src/http/schemas.ts";

// In answers, what is optional is left out by a process of the release before.

/** An event, as far as a link to it needs it. */
const eventRef = v.object({
  id: rowId,
  title: v.string(),
  /** Null for an event without a session. */
  sessionSlug: v.nullable(v.string()),
});
export type EventRef = v.InferOutput<typeof eventRef>;

const queueSchema = v.object({
  name: v.string(),
  paused: v.optional(v.boolean()),
  waiting: v.number(),
  active: v.number(),
  delayed: v.number(),
  failed: v.number(),
  /** The newest of them are kept, at most 1,000. */
  completed: v.number(),
});
export type QueueView = v.InferOutput<typeof queueSchema>;

export const failedJobSchema = v.object({
  queue: v.string(),
  id: v.string(),
  /** What the job does: "close_event", "send_mail". */
  name: v.string(),
  event: v.nullable(eventRef),
  /** How late it is, or was when it failed, in milliseconds. */
  lateMs: v.number(),
  /** False: something else, such as a sweep, has done its work. Null where only the job knows. */
  isOpen: v.nullable(v.boolean()),
  failedAt: moment,
  attempts: v.number(),
  reason: v.string(),
  /** So many of its queue failed for the same reason; this is the newest of them. */
  count: v.optional(v.number()),
});
export type FailedJobView = v.InferOutput<typeof failedJobSchema>;

const lateTimerSchema = v.object({
  event: eventRef,
  transition: v.picklist(timedTransitions),
  dueAt: moment,
  lateMs: v.number(),
});
export type LateTimerView = v.InferOutput<typeof lateTimerSchema>;

export const waitingSchema = v.object({
  /** Not sent, and tried before or older than a minute. */
  waiting: v.number(),
  /** Younger, and not tried before. */
  sending: v.number(),
  /** When the oldest of those that wait was written. */
  oldestAt: v.optional(v.nullable(moment)),
  /** Why the last attempt for one that waits failed, or that its server is slow; null: neither. */
  reason: v.nullable(v.string()),
  /** When the next of those that were tried is sent again. */
  nextAt: v.nullable(moment),
});
export type WaitingView = v.InferOutput<typeof waitingSchema>;

const mailsSchema = v.object({
  ...waitingSchema.entries,
  failed: v.number(),
  /** The newest of those that were given up. */
  rows: v.array(
    v.object({
      id: rowId,
      kind: v.picklist(mailKinds),
      failedAt: moment,
      error: v.string(),
      userId: v.nullable(rowId),
    }),
  ),
});

const startSchema = v.object({
  /** "web", "web-2", "worker" */
  process: v.string(),
  pid: v.number(),
  /** Null for one of an earlier release. */
  release: v.optional(v.nullable(v.string())),
  startedAt: moment,
});
export type StartView = v.InferOutput<typeof startSchema>;

const troubleSchema = v.object({
  /** "redis", "worker" ...: as /ready names it. */
  part: v.string(),
  /** The processes that see it: "web-2 (process 4711 on host-a), worker (...)". Null: it is about the product as a whole. */
  process: v.nullable(v.string()),
  /** The part with its state: "redis away". */
  what: v.string(),
  detail: v.nullable(v.string()),
  /** What follows from it, and is over with it. */
  follows: v.optional(v.array(v.object({ what: v.string(), detail: v.nullable(v.string()) }))),
  /** What it means, and what to do. */
  cure: v.string(),
  since: moment,
});
export type TroubleView = v.InferOutput<typeof troubleSchema>;

const pastTroubleSchema = v.object({ ...v.omit(troubleSchema, ["cure"]).entries, endedAt: moment });

const switchSchema = v.object({
  /** "pause_queue", "resume_queue", "disable_webhook" ... */
  action: v.string(),
  /** Of the queue or the webhook. */
  name: v.string(),
  at: moment,
});
export type SwitchView = v.InferOutput<typeof switchSchema>;

/** When sessions began and ended. */
export const showsSchema = v.array(
  v.object({
    /** Null for a private session, as its slug. */
    name: v.nullable(v.string()),
    slug: v.nullable(v.string()),
    what: v.picklist(["began", "ended"]),
    at: moment,
  }),
);
export type ShowView = v.InferOutput<typeof showsSchema>[number];

/** `?before=2026-11-21T20:14:30.382Z`: what has happened before that moment. */
export const operationsQuery = v.object({ before: v.optional(dateField) });

export const failingWebhookSchema = v.object({
  id: rowId,
  name: v.string(),
  failingSince: moment,
  /** Messages that wait for it. */
  waiting: v.number(),
  /** Why the last attempt failed; null while it is tried. */
  reason: v.nullable(v.string()),
  /** When the next message is sent to it. */
  nextAt: v.nullable(moment),
});

export const failingRowSchema = v.object({
  /** The work: "due_event", "settlement", "fact" ... */
  kind: v.string(),
  rowId,
  attempts: v.number(),
  reason: v.string(),
  since: moment,
  /** When it is tried again. */
  nextAt: moment,
});

export const sealSchema = v.object({ hash: v.string(), sealedAt: moment });

const operationsSchema = v.object({
  /** What is wrong now, causes first. */
  troubles: v.optional(v.array(troubleSchema)),
  /** What was wrong lately and works again, the newest first. */
  pastTroubles: v.optional(v.array(pastTroubleSchema)),
  /** What was switched lately, the newest first. */
  switches: v.optional(v.array(switchSchema)),
  shows: v.optional(showsSchema),
  /** The page of what has happened ends here, and the next one begins before it; null: it is the last. */
  olderBefore: v.optional(v.nullable(moment)),
  /** Results that are late in paying all their players, and when the oldest was decided. */
  unpaid: v.optional(v.object({ count: v.number(), oldestAt: v.nullable(moment) })),
  /** How long ago the oldest fact became true that pages were not told yet. */
  feedBehindMs: v.optional(v.number()),
  /** Null while Redis is away. */
  queues: v.nullable(v.object({ counts: v.array(queueSchema), failed: v.array(failedJobSchema) })),
  /** Worker processes that take jobs; null while Redis is away, and where it lists no clients. */
  workers: v.nullable(v.number()),
  lateTimers: v.array(lateTimerSchema),
  /** Rows whose work fails again and again, the longest first. */
  failingRows: v.optional(v.array(failingRowSchema)),
  books: v.object({
    /** Null before the first check. */
    checkedAt: v.nullable(moment),
    differencesCount: v.number(),
    /** The schedule has missed its checks. */
    overdue: v.boolean(),
  }),
  /** The newest seal over the books; null before the first. */
  seal: v.nullable(sealSchema),
  /** The last good backup of each night, and where it lies; null without one. */
  lastBackup: v.optional(v.nullable(v.object({ at: moment, place: v.nullable(v.string()) }))),
  mails: mailsSchema,
  /** What is left of disks, memory, connections and descriptors. */
  room: v.optional(
    v.array(
      v.object({
        /** "disk", "connections", "memory" ... */
        what: v.string(),
        /** The folders of a disk, the machine, or the process. Empty: the product as a whole. */
        of: v.string(),
        text: v.string(),
        /** Null: there is no limit, or it is not known. */
        usedShare: v.nullable(v.number()),
      }),
    ),
  ),
  pushes: v.optional(waitingSchema),
  webhooks: v.object({
    count: v.number(),
    failing: v.number(),
    /** Messages that were not sent, and tried before or older than a minute. */
    waiting: v.number(),
    /** Those that fail, the longest first. */
    failures: v.optional(v.array(failingWebhookSchema)),
  }),
  /** Newest first. */
  starts: v.array(startSchema),
  serverTime: moment,
});
export type OperationsView = v.InferOutput<typeof operationsSchema>;
export const operationsAnswer = v.object({ operations: operationsSchema });
export type OperationsAnswer = v.InferOutput<typeof operationsAnswer>;
