import type { Deps } from "#src/base/deps.ts";
import { notFound, Refusal, unavailable } from "#src/base/refusal.ts";

/**
 * Runs a failed job again, now.
 * @throws Refusal 404 for an unknown queue or job, 409 for a job that has not failed, 503 while Redis is away.
 */
export async function retryJob(
  { queues, log }: Pick<Deps, "queues" | "log">,
  { queue: name, jobId }: { queue: string; jobId: string },
): Promise<void> {
  const queue = Object.values(queues.byName).find((each) => each.name === name);
  if (queue === undefined) throw notFound();
  const answered = async <Answer>(answer: Promise<Answer>): Promise<Answer> =>
    answer.catch((error: unknown) => {
      log.warn({ err: error, queue: name, job: jobId }, "a job could not be retried");
      throw unavailable();
    });
  const job = await answered(queue.getJob(jobId));
  if (job === undefined) throw notFound();
  if (!(await answered(job.isFailed()))) {
    throw new Refusal(409, "not_failed", "not failed", {
      detail: "The job has not failed, or was retried already.",
    });
  }
  await answered(job.retry("failed"));
}
