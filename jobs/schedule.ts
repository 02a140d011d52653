import type { Deps } from "#src/base/deps.ts";
import { checkBooksWhenDue } from "#src/books/check-books-when-due.ts";
import { sealNewJournals } from "#src/books/seal-new-journals.ts";
import { pruneDryRuns } from "#src/dry-runs/dry-run-database.ts";
import { resumeDryRuns } from "#src/dry-runs/perform-dry-run.ts";
import { deliverDueMails } from "#src/mail/deliver-mail.ts";
import { askAboutPending } from "#src/money/payments/receive-webhook.ts";
import { finishRefunds } from "#src/money/payments/send-refund.ts";
import { sweepAvatars } from "#src/people/pictures/make-avatar.ts";
import { sweepBlobs } from "#src/people/storage/discard-blobs.ts";
import { composeMail } from "#src/people/users/compose-mail.ts";
import { removeUnusedGuests } from "#src/people/users/remove-unused-guests.ts";
import { pruneChanges } from "#src/play/leaderboard/prune-changes.ts";
import { sweepDeletedAccounts } from "#src/profiles/delete-account.ts";
import { sweepMergedGuests } from "#src/profiles/merge-user.ts";
import { pruneShares } from "#src/shares/update-share.ts";
import { sweepLogos } from "#src/show/blueprints/removals.ts";
import { remindUncalled, sendDueReminders } from "#src/show/reminders/send-due-reminders.ts";
import { rearmAlarms } from "#src/show/timers/sweep.ts";
import { deliverDueWebhooks } from "#src/webhooks/deliver-webhook.ts";
import { pruneTable, retention } from "./retention.ts";

type PeriodicTask = { name: string; everyMs: number; run: (deps: Deps) => Promise<void> };

/**
 * The periodic tasks of the worker. They run on intervals and not as repeating jobs of BullMQ, because some of them repair
 * what a Redis that lost its data lacks. Each task may run in several workers at the same time, and in each of them once at a time:
 * a server that is slow on purpose gets no more of it.
 */
export const schedule: readonly PeriodicTask[] = [
  { name: "rearm alarms", everyMs: 15_000, run: rearmAlarms },
  { name: "seal the journals", everyMs: 5_000, run: sealNewJournals },
  { name: "check the books", everyMs: 60_000, run: checkBooksWhenDue },
  { name: "finish refunds", everyMs: 60_000, run: finishRefunds },
  { name: "ask about pending payments", everyMs: 60_000, run: askAboutPending },
  { name: "delete old changes of leaderboards", everyMs: 60_000, run: pruneChanges },
  { name: "send due reminders", everyMs: 5_000, run: sendDueReminders },
  { name: "remind who has not called", everyMs: 60_000, run: remindUncalled },
  { name: "send due mails", everyMs: 2_000, run: (deps) => deliverDueMails(deps, composeMail) },
  { name: "send due messages to webhooks", everyMs: 2_000, run: deliverDueWebhooks },
  { name: "delete old links", everyMs: 3_600_000, run: pruneShares },
  { name: "remove unused guests", everyMs: 3_600_000, run: removeUnusedGuests },
  { name: "erase deleted accounts", everyMs: 300_000, run: sweepDeletedAccounts },
  { name: "pay the accounts of merged guests", everyMs: 5_000, run: sweepMergedGuests },
  { name: "make waiting avatars", everyMs: 15_000, run: sweepAvatars },
  { name: "resume dry runs", everyMs: 15_000, run: resumeDryRuns },
  { name: "delete old dry runs", everyMs: 3_600_000, run: pruneDryRuns },
  { name: "delete logos that nothing has", everyMs: 3_600_000, run: sweepLogos },
  ...retention.map(({ what, table }) => ({
    name: `delete old ${what}`,
    everyMs: 3_600_000,
    run: (deps: Deps) => pruneTable(deps, table),
  })),
  { name: "delete unused uploads", everyMs: 15_000, run: sweepBlobs },
];

/**
 * Starts all tasks, each with its first run at once. A run that fails is logged; the next one follows as usual. One that takes longer
 * leaves the next ones out.
 */
export function startSchedule(deps: Deps, tasks = schedule): { stop: () => Promise<void> } {
  const running = new Map<string, Promise<void>>();
  const timers = tasks.map(({ name, everyMs, run }) => {
    const runLogged = () => {
      if (running.has(name)) return;
      const attempt = run(deps).catch((error: unknown) =>
        deps.log.error({ err: error }, `could not ${name}`),
      );
      running.set(name, attempt);
      void attempt.finally(() => running.delete(name));
    };
    runLogged();
    return setInterval(runLogged, everyMs);
  });
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}
