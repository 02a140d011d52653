import type { Deps } from "#src/base/deps.ts";
import { forgetKeys } from "#src/base/once.ts";
import { forgetChecks } from "#src/books/forget-checks.ts";
import { keepBooksChecked } from "#src/books/keep-books-checked.ts";
import { forgetChanges } from "#src/leaderboard/forget-changes.ts";
import { deliverDueMails } from "#src/mail/deliver-due-mails.ts";
import { forgetMails } from "#src/mail/forget-mails.ts";
import { forgetNotifications } from "#src/notifications/forget-notifications.ts";
import { finishRefunds } from "#src/payments/finish-refunds.ts";
import { sweepAvatars } from "#src/profiles/sweep-avatars.ts";
import { sweepBlobs } from "#src/storage/discard-blobs.ts";
import { rearmAlarms } from "#src/timers/rearm-alarms.ts";
import { composeMail } from "#src/users/compose-mail.ts";
import { forgetTokens } from "#src/users/forget-tokens.ts";
import { removeUnusedGuests } from "#src/users/remove-unused-guests.ts";

type Repeating = { name: string; everyMs: number; run: (deps: Deps) => Promise<void> };

/**
 * Everything that the worker does again and again. It runs on plain intervals and not as repeating jobs, because it heals
 * what a Redis without its data has forgotten; every run is safe beside another one.
 */
const schedule: readonly Repeating[] = [
  { name: "rearm alarms", everyMs: 15_000, run: rearmAlarms },
  { name: "check the books", everyMs: 60_000, run: keepBooksChecked },
  { name: "forget old checks of the books", everyMs: 3_600_000, run: forgetChecks },
  { name: "finish refunds", everyMs: 60_000, run: finishRefunds },
  { name: "forget changes of leaderboards", everyMs: 60_000, run: forgetChanges },
  { name: "send due mails", everyMs: 5_000, run: (deps) => deliverDueMails(deps, composeMail) },
  { name: "forget old mails", everyMs: 3_600_000, run: forgetMails },
  { name: "forget old notifications", everyMs: 3_600_000, run: forgetNotifications },
  { name: "remove unused guests", everyMs: 3_600_000, run: removeUnusedGuests },
  { name: "forget old keys", everyMs: 3_600_000, run: forgetKeys },
  { name: "forget old tokens", everyMs: 3_600_000, run: forgetTokens },
  { name: "make waiting avatars", everyMs: 15_000, run: sweepAvatars },
  { name: "clear away lost uploads", everyMs: 600_000, run: sweepBlobs },
];

/** Starts all of the schedule, the first run at once. A run that fails is logged; the next one comes in its turn. */
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
