import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { operationsEndpoints } from "./endpoints.ts";
import { retryJob, sendWaiting, switchQueue } from "./manage-queues.ts";
import { showOperations } from "./show-operations.ts";

/** Answers the endpoints of the operators' home. */
export function operationsRoutes(deps: Deps) {
  return serveEndpoints(operationsEndpoints, {
    showOperations: async ({ now }) => ({ operations: await showOperations(deps, now) }),
    sendWaiting: () => sendWaiting(deps),
    pauseQueue: ({ params, viewer }) => switchQueue(deps, { ...params, isPaused: true, actor: viewer }),
    resumeQueue: ({ params, viewer }) => switchQueue(deps, { ...params, isPaused: false, actor: viewer }),
    retryJob: ({ params }) => retryJob(deps, params),
  });
}
