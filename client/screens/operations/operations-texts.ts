import { countOf, formatCount } from "#client/base/format/count.ts";

/** The texts of the operators' home. */
export const queueDashboard = "Queue dashboard";

// What needs attention
export const allWell = "All is well: nothing is late, nothing has failed, and the books are in balance.";
export const attention = (count: number) =>
  `${countOf(count, "thing")} ${count === 1 ? "needs" : "need"} attention.`;
export const redisAway = "Redis does not answer, so the queues cannot be read. Events still close on time.";
export const noWorker =
  "No worker runs. Web processes open and close events and pay results, up to 2 s late. Mails, push messages, webhooks, pictures and the checks of the books wait. Start the worker, and read the end of its log.";

// Failed jobs
export const failedJobs = "Failed jobs";
export const noFailedJobs = "None. A job that has failed five times appears here.";
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
export const doneSince = "Done since, without this job.";
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
export const noLateTimers = "None. What is due and not done within 2 s appears here.";
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
export const noneFailed = "None failed";
export const pushesWait = (count: number) =>
  `${countOf(count, "message")} ${count === 1 ? "waits" : "wait"} for a push service that does not answer, and ${count === 1 ? "is" : "are"} tried again every few seconds.`;

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

// Mails
export const mails = "Mails";
export const mailsDelivered = "All mails are delivered.";
export const mailsSending = (count: number) =>
  `${countOf(count, "mail")} ${count === 1 ? "is" : "are"} being sent.`;
export const mailsWaiting = (count: number) =>
  `${countOf(count, "mail")} ${count === 1 ? "is" : "are"} not sent yet.`;
export const mailReason = "The last attempt failed: {reason}";
export const nextAttempt = "Next attempt {at}.";
export const mailCure = "Look at the mail server and at SMTP_URL. What works again sends the rest.";
export const sendNow = "Send now";
export const tryNow = "Try now";
export const sendNowHint = "Only admins send them now.";
export const mailsFailed = (count: number) => `${countOf(count, "mail")} could not be delivered.`;
export const mailNames: Readonly<Record<string, string>> = {
  confirm_email: "Confirmation of an address",
  reset_password: "New password",
  unlock: "Unlocking an account",
  change_email: "Change of an address",
  email_change_asked: "Note: change of address asked for",
  email_changed: "Note: address changed",
  password_changed: "Note: password changed",
  passkey_added: "Note: passkey added",
  passkey_removed: "Note: passkey removed",
};
export const mailGivenUp = "Given up {at}: {reason}";
export const player = "Player";

// Webhooks
export const webhooks = "Webhooks";
export const noWebhooks = "None is set up.";
export const webhooksWell = (count: number) => `${countOf(count, "webhook")}, none is failing.`;
export const webhooksFailing = (failing: number, count: number) =>
  `${failing} of ${countOf(count, "webhook")} ${failing === 1 ? "fails" : "fail"}.`;
export const messagesWaiting = (count: number) =>
  `${countOf(count, "message")} ${count === 1 ? "has" : "have"} not arrived yet.`;
export const openWebhooks = "Open the webhooks";

// Starts of processes
export const starts = "Last starts of processes";
export const noStarts = "None is on record yet.";
export const startedAt = "Started {at}, process {pid}";
export const notRunning = "Not running";
