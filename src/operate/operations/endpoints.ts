import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { retryJobs } from "./failed-jobs.ts";
import { sendWaiting, switchQueue } from "./manage-queues.ts";
import { operationsAnswer, operationsQuery } from "./schemas.ts";
import { showOperations } from "./show-operations.ts";

/** What runs behind the game, for admins and operators. */
export const operationsEndpoints = {
  showOperations: endpoint({
    route: "GET /api/v1/operations",
    summary:
      "Shows queues, failed jobs, late timers, mails, webhooks, rows whose work fails, the books, and what has happened",
    notes:
      "What has happened (faults, starts of processes, switches, shows) is listed 30 at a time, the newest first, for 30 days; `before` continues.",
    who: "staff",
    query: operationsQuery.entries,
    answer: operationsAnswer,
    handle: async (deps, { now, query: { before } }) => ({
      operations: await showOperations(deps, now, before),
    }),
  }),
  sendWaiting: endpoint({
    route: "POST /api/v1/operations/waiting/send",
    summary:
      "Tries again within seconds what has failed and waits: mails, push messages, messages to webhooks, the work of rows",
    who: "admin",
    handle: (deps) => sendWaiting(deps),
  }),
  pauseQueue: endpoint({
    route: "POST /api/v1/operations/queues/:queue/pause",
    summary: "Pauses a queue: its jobs wait until it is resumed",
    notes: "Jobs that run are finished. A paused queue stays paused when the processes start again.",
    who: "admin",
    params: { queue: "text" },
    refusals: {
      never_paused: { status: 409, when: "The queue has the timers or the payments of the game." },
    },
    handle: (deps, { params, viewer }) => switchQueue(deps, { ...params, isPaused: true, actor: viewer }),
  }),
  resumeQueue: endpoint({
    route: "POST /api/v1/operations/queues/:queue/resume",
    summary: "Lets a paused queue go on",
    who: "admin",
    params: { queue: "text" },
    handle: (deps, { params, viewer }) => switchQueue(deps, { ...params, isPaused: false, actor: viewer }),
  }),
  retryJob: endpoint({
    route: "POST /api/v1/operations/queues/:queue/jobs/:jobId/retry",
    summary: "Runs a failed job again, with all of its queue that do the same and failed for the same reason",
    notes:
      "Numbers in the reason do not count. Every job may run again: what is done already is not done twice.",
    who: "admin",
    params: { queue: "text", jobId: "text" },
    refusals: { not_failed: { status: 409, when: "The job has not failed, or was retried already." } },
    handle: (deps, { params, viewer }) => retryJobs(deps, { ...params, actor: viewer }),
  }),
};
