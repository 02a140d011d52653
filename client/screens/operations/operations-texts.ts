import { countOf, formatCount } from "#client/base/format/count.ts";
import type { MailKind } from "#db/lists/mails.ts";
import { labelsOf } from "#src/base/contract.ts";

/** The texts of the operators' home. */
export const queueDashboard = "Queue dashboard";

// Failed jobs
export const failedJobs = "Failed jobs";
export const failedHint =
  "A job that has failed five times stands here. Retry runs it again now: what is done already is not done twice.";
export const doneSinceTitle = (count: number) =>
  count === 1
    ? "1 has failed, and its work is done since"
    : `${formatCount(count)} have failed, and their work is done since`;
export const jobTitles: Readonly<Record<string, (what: string) => string>> = {
  publish_event: (what) => `Publication of ${what}`,
  open_event: (what) => `Opening of ${what}`,
  close_event: (what) => `Close of ${what}`,
  resolve: (what) => `Result of ${what}`,
  pay_settlement: (what) => `Payment of ${what}`,
  event: (what) => `Push messages about ${what}`,
};
export const otherJobTitles: Readonly<Record<string, string>> = {
  pictures: "Sizes of a player's picture",
  "link-pictures": "The picture of a link",
  mails: "A mail",
  "dry-runs": "A dry run",
  pushes: "A push message",
  "push-fan-outs": "Push messages",
  webhooks: "A message to a webhook",
};
export const quoted = (title: string) => `“${title}”`;
export const unknownEvent = "an event that is gone";
export const late = (what: string, time: string) => `${what}, ${time} late`;
export const lessThanSecond = "less than 1 s";
export const seconds = (count: number) => `${formatCount(count)} s`;
export const minutes = (count: number) => `${formatCount(count)} min`;
export const hours = (count: number) => `${formatCount(count)} h`;
export const notDone = "Not done yet.";
export const doneSince = "Done since by the sweep, without this job.";
export const failedAfter = (attempts: number) =>
  `Failed {at} after ${countOf(attempts, "attempt")}: {reason}`;
export const retry = "Retry";
export const retryHint = "Only admins retry jobs.";
export const jobDetails = "Details";
export const eventLink = "Event";
export const controlRoom = "Control room";

// Late timers
export const failingRows = "Fails again and again";
export const failingRow = (kind: string, rowId: number) => `${kind.replaceAll("_", " ")} ${rowId}`;
export const triedAgain = (attempts: number) =>
  `Failed ${formatCount(attempts)} times, and is tried again {at}. {reason}`;

export const lateTimers = "Late timers";
export const dueAt = "Due {at}";

// Queues
export const queues = "Queues";
export const queueNames: Readonly<Record<string, string>> = {
  transitions: "Event timers",
  settlements: "Payments of results",
  mails: "Mails",
  pictures: "Pictures",
  "link-pictures": "Pictures of links",
  "dry-runs": "Dry runs",
  "push-fan-outs": "Recipients of push messages",
  pushes: "Push messages",
  webhooks: "Webhooks",
};
export const queueWords = (counts: { waiting: number; active: number; delayed: number; completed: number }) =>
  `${formatCount(counts.waiting)} waiting, ${formatCount(counts.active)} running, ${formatCount(counts.delayed)} planned, ${formatCount(counts.completed)} done lately`;
export const failedCount = (count: number) => `${formatCount(count)} failed`;
export const queueHint =
  "Paused, a queue finishes what runs and keeps the rest until it is resumed, also over a restart. The game's timers and payments cannot be paused here: pause the session.";
export const paused = "Paused";
export const pause = "Pause";
export const resume = "Resume";

// Books and seal
export const books = "Books";
export const booksBalanced = "In balance.";
export const booksDiffer = (count: number) => `${countOf(count, "check")} found a difference.`;
export const booksChecked = "Checked {at}.";
export const booksNotChecked = "Not checked yet.";
export const booksOverdue = "The schedule has not checked them for long. Look whether the worker runs.";
export const openBooks = "Open the books";
export const seal = "Newest seal";
export const sealHint = "Keep it elsewhere: it proves later that nothing before it was changed. Sealed {at}.";
export const noSeal = "Nothing is sealed yet.";

// What waits
export const waits = "What waits";
export const nothingWaits = "Nothing waits";
export const waitsSince = (count: number) =>
  `${formatCount(count)} ${count === 1 ? "waits" : "wait"} since {at}.`;
export const waitsNow = (count: number) => `${formatCount(count)} ${count === 1 ? "waits" : "wait"}.`;
export const beingSent = (count: number) => `${formatCount(count)} ${count === 1 ? "is" : "are"} being sent.`;
export const lastReason = "The last attempt failed: {reason}";
export const nextAttempt = "Next attempt {at}.";
export const restFollows = "The rest follows as soon as one is taken.";
export const workerFirst = "No worker runs: start it first.";
export const sendNow = "Send now";
export const tryNow = "Try now";
export const sendNowHint = "Only admins send and retry.";
export const waitingMails = "Mails";
export const waitingResults = "Payments of results";
export const waitingNews = "News for pages";
export const newsWaits = (time: string) => `The oldest waits for ${time}.`;
export const waitingTimers = "Actions that are due";
export const waitingWebhooks = "Messages to webhooks";
export const waitingPushes = "Push messages";
export const pushesWait = (count: number) =>
  `${formatCount(count)} ${count === 1 ? "waits" : "wait"} for a push service, and ${count === 1 ? "is" : "are"} sent as soon as it takes one.`;
export const openWebhooks = "Webhooks";
export const failsSince = "{name} takes no messages since {at}.";
export const unknownWithoutRedis = "Not known while Redis is away.";

// Mails that were given up
export const mailsGivenUp = "Mails that were given up";
export const mailName = labelsOf<MailKind>({
  confirm_email: "Confirmation of an address",
  reset_password: "New password",
  unlock: "Unlocking an account",
  change_email: "Change of an address",
  email_change_asked: "Note: change of address asked for",
  email_changed: "Note: address changed",
  password_changed: "Note: password changed",
  passkey_added: "Note: passkey added",
  passkey_removed: "Note: passkey removed",
  session_reminder: "Reminder of a session",
});
export const mailGivenUp = "Given up {at}: {reason}";
export const player = "Player";
