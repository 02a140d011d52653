import { addressOf, isPooled } from "#db/address.ts";
import { findConnectedWorkers } from "#db/idle-transactions.ts";
import { queueNames } from "#db/lists/queues.ts";
import { batchReads } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";

type QueueDeps = Pick<Deps, "queues">;
export type Queue = Deps["queues"]["byName"][keyof Deps["queues"]["byName"]];

/** The queues with their counts, in the order of their titles. Rejects while Redis is away. */
export function countQueues({ queues }: QueueDeps) {
  return Promise.all(queueNames.map((name) => countQueue(queues.byName[name])));
}

async function countQueue(queue: Queue) {
  const [counts, paused] = await Promise.all([
    queue.getJobCounts("waiting", "prioritized", "active", "delayed", "failed", "completed"),
    queue.isPaused(),
  ]);
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0, completed = 0 } = counts;
  return { name: queue.name, paused, waiting: waiting + prioritized, active, delayed, failed, completed };
}

/** The worker processes that take jobs: each has the workers of all queues. Null where Redis lists no clients, and while it is away. */
export function countWorkers({ queues }: QueueDeps): Promise<number | null> {
  return inTime(queues.byName.transitions.getWorkersCount());
}

/** How many workers take jobs from the Redis of this process, and, where none does, which are connected to the database. */
export const findWorkers = batchReads<
  Pick<Deps, "env" | "pool" | "queues">,
  null,
  { count: number; elsewhere: Awaited<ReturnType<typeof findConnectedWorkers>> }
>(
  () => null,
  async ({ env, pool, queues }) => {
    // One process has the workers of all queues.
    const count = await queues.byName.transitions.getWorkersCount();
    // The names of connections say nothing behind a PgBouncer.
    const isKnown = count > 0 || isPooled(addressOf(env.databaseUrl));
    const elsewhere = isKnown ? [] : await findConnectedWorkers(pool.db);
    return () => ({ count, elsewhere });
  },
);

const WITHIN_MS = 1_500;

/** What is asked; null if that fails or takes too long: that part is away. */
export function inTime<Answer>(asked: PromiseLike<Answer>, ms = WITHIN_MS): Promise<Answer | null> {
  return Promise.race([asked, Bun.sleep(ms).then(() => null)]).catch(() => null);
}
