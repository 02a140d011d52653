import { DelayedError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { performTransition } from "#src/timers/perform-transition.ts";
import { alarmPayload, queueNames } from "../queues.ts";
import { timerOptions } from "../worker-options.ts";

/** Wakes for the alarms of events; an alarm that is too early goes back to sleep. */
export function startTransitionWorker(deps: Deps, connection: Redis): Worker {
  return new Worker(
    queueNames.transitions,
    async (job, token) => {
      const earlyMs = await performTransition(deps, v.parse(alarmPayload, job.data));
      if (earlyMs === 0) return;
      await job.moveToDelayed(Date.now() + earlyMs, token);
      throw new DelayedError();
    },
    { connection, ...timerOptions },
  );
}
