import { DelayedError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { paySettlement } from "#src/settlements/pay-settlement.ts";
import { queueNames, settlementPayload } from "../queues.ts";
import { payingOptions } from "../worker-options.ts";

/** Pays settlements in parts, for a turn at a time, so that stopping never waits for the end of a large one. */
export function startSettlementWorker(deps: Deps, connection: Redis): Worker {
  return new Worker(
    queueNames.settlements,
    async (job, token) => {
      const turn = await paySettlement(deps, v.parse(settlementPayload, job.data));
      if (turn !== "more") return;
      await job.moveToDelayed(Date.now(), token);
      throw new DelayedError();
    },
    { connection, ...payingOptions },
  );
}
