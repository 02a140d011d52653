import type { Endpoints } from "#src/http/endpoint.ts";
import { operationsAnswer } from "./schemas.ts";

/** What runs behind the game, for admins and operators. */
export const operationsEndpoints = {
  showOperations: {
    method: "GET",
    path: "/api/v1/operations",
    summary:
      "Shows queues, failed jobs, late timers, mails, webhooks, rows whose work fails, the books and the last starts of processes",
    who: "staff",
    answer: operationsAnswer,
  },
  sendWaiting: {
    method: "POST",
    path: "/api/v1/operations/waiting/send",
    summary:
      "Tries again within seconds what has failed and waits: mails, push messages, messages to webhooks, the work of rows",
    who: "admin",
  },
  pauseQueue: {
    method: "POST",
    path: "/api/v1/operations/queues/:queue/pause",
    summary: "Pauses a queue: its jobs wait until it is resumed",
    notes: "Jobs that run are finished. A paused queue stays paused when the processes start again.",
    who: "admin",
    params: { queue: "text" },
    refusals: {
      never_paused: { status: 409, when: "The queue has the timers or the payments of the game." },
    },
  },
  resumeQueue: {
    method: "POST",
    path: "/api/v1/operations/queues/:queue/resume",
    summary: "Lets a paused queue go on",
    who: "admin",
    params: { queue: "text" },
  },
  retryJob: {
    method: "POST",
    path: "/api/v1/operations/queues/:queue/jobs/:jobId/retry",
    summary: "Runs a failed job again",
    notes: "Every job may run again: what is done already is not done twice.",
    who: "admin",
    params: { queue: "text", jobId: "text" },
    refusals: { not_failed: { status: 409, when: "The job has not failed, or was retried already." } },
  },
} as const satisfies Endpoints;
