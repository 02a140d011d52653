import { Worker } from "bullmq";
import type { Redis } from "ioredis";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { makeAvatar } from "#src/profiles/make-avatar.ts";
import { avatarPayload, queueNames } from "../queues.ts";

/** Makes the sizes of new avatars, one picture at a time: each takes a core and its pixels' worth of memory. */
export function startAvatarWorker(deps: Deps, connection: Redis): Worker {
  return new Worker(queueNames.pictures, async (job) => makeAvatar(deps, v.parse(avatarPayload, job.data)), {
    connection,
    concurrency: 1,
  });
}
