import { buildDueEvent } from "#tests/jobs/due-events.ts";
import { failJob } from "#tests/operate/operations/fail-job.ts";
import { byAdmin, type Prepare } from "./fixture.ts";

const A_MINUTE_MS = 60_000;

export const happyOperations: Record<string, Prepare> = {
  showBooks: byAdmin,
  checkBooks: byAdmin,
  showOperations: async (fixture) => {
    // Nothing closes it: there is no worker.
    await buildDueEvent(fixture.deps, -A_MINUTE_MS);
    return byAdmin(fixture);
  },
  sendWaiting: byAdmin,
  pauseQueue: async ({ admin }) => ({ browser: admin.browser, params: { queue: "pictures" } }),
  resumeQueue: async ({ admin }) => ({ browser: admin.browser, params: { queue: "pictures" } }),
  retryJob: async ({ deps, admin }) => {
    const { id: jobId = "" } = await failJob(deps);
    return { browser: admin.browser, params: { queue: "pictures", jobId } };
  },
};
