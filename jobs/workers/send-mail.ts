import { DelayedError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { deliverMail } from "#src/mail/deliver-mail.ts";
import { composeMail } from "#src/users/compose-mail.ts";
import { mailPayload, queueNames } from "../queues.ts";
import { mailOptions } from "../worker-options.ts";

/** Sends mails; one that the mail server did not take is tried again later. */
export function startMailWorker(deps: Deps, connection: Redis): Worker {
  return new Worker(
    queueNames.mails,
    async (job, token) => {
      const againMs = await deliverMail(deps, v.parse(mailPayload, job.data).mailId, composeMail);
      if (againMs === null) return;
      await job.moveToDelayed(Date.now() + againMs, token);
      throw new DelayedError();
    },
    { connection, ...mailOptions },
  );
}
