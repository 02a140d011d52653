import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { operationsEndpoints } from "./endpoints.ts";
import { retryJobs } from "./failed-jobs.ts";
import { sendWaiting, switchQueue } from "./manage-queues.ts";
import { showOperations } from "./show-operations.ts";

/** Answers the endpoints of the operators' home. */
export function operationsRoutes(deps: Deps) {
  return serveEndpoints(operationsEndpoints, {
    showOperations: async ({ now, query: { before } }) => ({
      operations: await showOperations(deps, now, before),
    }),
    sendWaiting: () => sendWaiting(deps),
    pauseQueue: ({ params, viewer }) => switchQueue(deps, { ...params, isPaused: true, actor: viewer }),
    resumeQueue: ({ params, viewer }) => switchQueue(deps, { ...params, isPaused: false, actor: viewer }),
    retryJob: ({ params, viewer }) => retryJobs(deps, { ...params, actor: viewer }),
  });
}
