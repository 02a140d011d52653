import type { Deps } from "#src/base/deps.ts";
import { pruneIdempotencyKeys } from "#src/base/once.ts";
import { checkBooksWhenDue } from "#src/books/check-books-when-due.ts";
import { pruneChecks } from "#src/books/prune-checks.ts";
import { pruneChanges } from "#src/leaderboard/prune-changes.ts";
import { deliverDueMails } from "#src/mail/deliver-due-mails.ts";
import { pruneMails } from "#src/mail/prune-mails.ts";
import { pruneNotifications } from "#src/notifications/prune-notifications.ts";
import { finishRefunds } from "#src/payments/finish-refunds.ts";
import { sweepAvatars } from "#src/profiles/sweep-avatars.ts";
import { sweepBlobs } from "#src/storage/discard-blobs.ts";
import { rearmAlarms } from "#src/timers/rearm-alarms.ts";
import { composeMail } from "#src/users/compose-mail.ts";
import { removeUnusedGuests } from "#src/users/remove-unused-guests.ts";
import { pruneTokens } from "#src/users/revoke-tokens.ts";

type PeriodicTask = { name: string; everyMs: number; run: (deps: Deps) => Promise<void> };

/**
 * The periodic tasks of the worker. They run on intervals and not as repeating jobs of BullMQ, because some of them repair
 * what a Redis that lost its data lacks. Each task may run in several workers at the same time.
 */
const schedule: readonly PeriodicTask[] = [
  { name: "rearm alarms", everyMs: 15_000, run: rearmAlarms },
  { name: "check the books", everyMs: 60_000, run: checkBooksWhenDue },
  { name: "delete old checks of the books", everyMs: 3_600_000, run: pruneChecks },
  { name: "finish refunds", everyMs: 60_000, run: finishRefunds },
  { name: "delete old changes of leaderboards", everyMs: 60_000, run: pruneChanges },
  { name: "send due mails", everyMs: 5_000, run: (deps) => deliverDueMails(deps, composeMail) },
  { name: "delete old mails", everyMs: 3_600_000, run: pruneMails },
  { name: "delete old notifications", everyMs: 3_600_000, run: pruneNotifications },
  { name: "remove unused guests", everyMs: 3_600_000, run: removeUnusedGuests },
  { name: "delete old idempotency keys", everyMs: 3_600_000, run: pruneIdempotencyKeys },
  { name: "delete old tokens", everyMs: 3_600_000, run: pruneTokens },
  { name: "make waiting avatars", everyMs: 15_000, run: sweepAvatars },
  { name: "delete unused uploads", everyMs: 600_000, run: sweepBlobs },
];

/** Starts all tasks, each with its first run at once. A run that fails is logged; the next one follows as usual. */
export function startSchedule(deps: Deps): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>();
  const timers = schedule.map(({ name, everyMs, run }) => {
    const runLogged = () => {
      const attempt = run(deps).catch((error: unknown) =>
        deps.log.error({ err: error }, `could not ${name}`),
      );
      running.add(attempt);
      void attempt.finally(() => running.delete(attempt));
    };
    runLogged();
    return setInterval(runLogged, everyMs);
  });
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}
