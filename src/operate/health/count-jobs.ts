import type { Queues } from "#jobs/queues.ts";

/** The jobs of all queues. `working`: whether a worker takes jobs; null where Redis does not list its clients. */
export type JobCounts = { waiting: number; failed: number; working: boolean | null };

/** Counts the jobs of all queues. Rejects while Redis is away. */
export async function countJobs({ byName }: Queues): Promise<JobCounts> {
  const queues = Object.values(byName);
  const [counts, working] = await Promise.all([
    Promise.all(queues.map((queue) => queue.getJobCounts("waiting", "prioritized", "failed"))),
    // One process has the workers of all queues.
    byName.transitions.getWorkersCount().then(
      (count) => count > 0,
      () => null,
    ),
  ]);
  const sum = (state: string) => counts.reduce((total, count) => total + (count[state] ?? 0), 0);
  return { waiting: sum("waiting") + sum("prioritized"), failed: sum("failed"), working };
}
