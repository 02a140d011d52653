import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { sendWaitingNow } from "#src/base/due-rows.ts";
import { notFound, Refusal, unavailable } from "#src/base/refusal.ts";
import { retryFailingRows } from "#src/base/try-rows.ts";
import { mailRows } from "#src/mail/write-mail.ts";
import { auditProcess } from "#src/operate/work/starts.ts";
import { pushRows } from "#src/people/push/deliver-push.ts";
import { deliveryRows } from "#src/webhooks/deliver-webhook.ts";
import { mayPause, PAUSE_ACTION, RESUME_ACTION } from "./contract.ts";

/** Pauses a queue, or lets it go on. @throws Refusal 404 for an unknown one, 409 for one that may not be paused, 503 while Redis is away. */
export async function switchQueue(
  { queues, pool, log }: Pick<Deps, "queues" | "pool" | "log">,
  { queue: name, isPaused, actor }: { queue: string; isPaused: boolean; actor: Actor },
): Promise<void> {
  const queue = Object.values(queues.byName).find((each) => each.name === name);
  if (queue === undefined) throw notFound();
  if (isPaused && !mayPause(name)) {
    throw new Refusal(409, "never_paused", "never paused", {
      detail:
        "Timers and payments are not paused: the sweep would go on with them. Pause the session instead.",
    });
  }
  try {
    if ((await queue.isPaused()) === isPaused) return;
    await (isPaused ? queue.pause() : queue.resume());
  } catch (error) {
    log.warn({ err: error, queue: name }, "a queue could not be switched");
    throw unavailable();
  }
  const before = { queue: name, paused: !isPaused };
  const after = { queue: name, paused: isPaused, by: actor?.id ?? null };
  await auditProcess(pool.db, isPaused ? PAUSE_ACTION : RESUME_ACTION, { before, after });
  log.warn({ queue: name }, isPaused ? "a queue was paused" : "a queue was resumed");
}

/** Sends the mails and messages that wait for their next attempt, and tries rows again whose work has failed. */
export async function sendWaiting(deps: Pick<Deps, "pool" | "queues" | "log">): Promise<void> {
  const waiting = [mailRows, pushRows, deliveryRows].map((rows) => sendWaitingNow(deps, rows));
  await Promise.all([...waiting, retryFailingRows(deps.pool.db)]);
}
