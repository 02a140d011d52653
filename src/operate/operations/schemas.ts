import * as v from "valibot";
import { timedTransitions } from "#db/lists/events.ts";
import { mailKinds } from "#db/lists/mails.ts";
import { moment, rowId } from "#src/http/schemas.ts";

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
  /** Nothing has done its work yet; null where only the job knows. */
  isOpen: v.nullable(v.boolean()),
  failedAt: moment,
  attempts: v.number(),
  reason: v.string(),
});
export type FailedJobView = v.InferOutput<typeof failedJobSchema>;

const lateTimerSchema = v.object({
  event: eventRef,
  transition: v.picklist(timedTransitions),
  dueAt: moment,
  lateMs: v.number(),
});
export type LateTimerView = v.InferOutput<typeof lateTimerSchema>;

const mailsSchema = v.object({
  /** Not sent, and tried before or older than a minute. */
  waiting: v.number(),
  /** Younger, and not tried before. */
  sending: v.number(),
  /** Why the last attempt for one that waits failed; null if none was tried. */
  reason: v.nullable(v.string()),
  /** When the next of those that were tried is sent again. */
  nextAt: v.nullable(moment),
  /** Given up. */
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
  startedAt: moment,
});
export type StartView = v.InferOutput<typeof startSchema>;

const operationsSchema = v.object({
  /** Null while Redis is away. */
  queues: v.nullable(v.object({ counts: v.array(queueSchema), failed: v.array(failedJobSchema) })),
  /** Worker processes that take jobs; null while Redis is away, and where it lists no clients. */
  workers: v.nullable(v.number()),
  lateTimers: v.array(lateTimerSchema),
  /** Rows whose work fails again and again, the longest first. A process of the release before leaves it out. */
  failingRows: v.optional(
    v.array(
      v.object({
        /** The work: "due_event", "settlement", "fact" ... */
        kind: v.string(),
        rowId,
        attempts: v.number(),
        reason: v.string(),
        since: moment,
        /** When it is tried again. */
        nextAt: moment,
      }),
    ),
  ),
  books: v.object({
    /** Null before the first check. */
    checkedAt: v.nullable(moment),
    differencesCount: v.number(),
    /** The schedule has missed its checks. */
    overdue: v.boolean(),
  }),
  /** The newest seal over the books; null before the first. */
  seal: v.nullable(v.object({ hash: v.string(), sealedAt: moment })),
  mails: mailsSchema,
  webhooks: v.object({
    count: v.number(),
    failing: v.number(),
    /** Messages that were not sent, and tried before or older than a minute. */
    waiting: v.number(),
  }),
  /** Newest first. */
  starts: v.array(startSchema),
  serverTime: moment,
});
export type OperationsView = v.InferOutput<typeof operationsSchema>;
export const operationsAnswer = v.object({ operations: operationsSchema });
export type OperationsAnswer = v.InferOutput<typeof operationsAnswer>;
