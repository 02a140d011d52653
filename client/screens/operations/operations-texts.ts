import { countOf, formatCount } from "#client/base/format/count.ts";
import type { MailKind } from "#db/lists/mails.ts";
import { labelsOf } from "#src/base/contract.ts";

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
/** Seconds are said up to here, minutes up to the next. */
const SECONDS_BELOW = 100;
const MINUTES_BELOW_S = 2 * HOUR_S;

/** "4 s", "12 min", "3 h" */
export function lateTime(lateMs: number): string {
  const seconds = Math.floor(lateMs / SECOND_MS);
  if (seconds < 1) return "less than 1 s";
  if (seconds < SECONDS_BELOW) return `${formatCount(seconds)} s`;
  if (seconds < MINUTES_BELOW_S) return `${formatCount(Math.round(seconds / MINUTE_S))} min`;
  return `${formatCount(Math.round(seconds / HOUR_S))} h`;
}

/** The texts of the operators' home. */
export const queueDashboard = "Queue dashboard";

// Late timers
export const lateTimers = "Late timers";
export const dueAt = "Due {at}";
export const timerOf: Readonly<Record<string, (title: string) => string>> = {
  publish_event: (title) => `Publication of “${title}”`,
  open_event: (title) => `Opening of “${title}”`,
  close_event: (title) => `Close of “${title}”`,
  resolve: (title) => `Result of “${title}”`,
};
export const late = (what: string, time: string) => `${what}, ${time} late`;
export const eventLink = "Event";
export const controlRoom = "Control room";

// Rows whose work fails
export const failingRows = "Fails again and again";
export const failingRow = (kind: string, rowId: number) => `${kind.replaceAll("_", " ")} ${rowId}`;
export const triedAgain = (attempts: number) =>
  `Failed ${formatCount(attempts)} times, and is tried again {at}. {reason}`;

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
  "Paused, a queue finishes what runs and keeps the rest until it is resumed, also over a restart. The game's timers and payments cannot be paused here: pause the session. Failed jobs are shown and retried on the queue dashboard.";
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

// What is wrong
export const wrongNow = "Is anything wrong?";
export const allWell = "All is well: every part works, nothing waits, and players notice nothing.";
export const playersNotice = "Players notice it.";
export const playersNoticeNothing = "Players notice nothing of it.";
export const thingsWrong = (count: number) =>
  `${countOf(count, "thing")} ${count === 1 ? "is" : "are"} wrong.`;
export const attention = (count: number) =>
  `Every part works, and ${countOf(count, "thing")} below ${count === 1 ? "wants" : "want"} a look.`;
export const since = "Since {at}";
export const sinceAt = (process: string) => `Since {at}, ${process}`;
export const forPlayers = "Players:";
export const figuresOf = "As of {at}";
export const silent = "The server does not answer.";
export const oldFigures = "What stands below is of {at}, and is asked for again every few seconds.";

/** What players notice of it, by part. Of the others they notice nothing. */
export const noticed: Readonly<Record<string, string>> = {
  database: "They read that the game catches its breath, and nothing is lost.",
  migrations: "They read that the game catches its breath, and nothing is lost.",
  writes: "They see pages, and can neither call nor get paid.",
  rights: "What needs the right that is missing fails.",
  redis:
    "Pages and calls work. Pages ask every few seconds instead of being told, and timers are up to a second late.",
  broadcasts: "Pages and calls work. Pages ask every few seconds instead of being told.",
  processes:
    "Who is at this process waits. If it is the only worker, mails, push messages and new pictures wait.",
  worker: "Calls, closes and payments work. Mails, push messages and new pictures wait.",
  transactions: "Calls and closes of what it holds wait.",
  rows: "Who it is about waits for it.",
  timers: "An action does not open, close or get its result in time.",
  settlements: "Who won waits for the money.",
  feed: "Pages show an old state for some seconds.",
  disk: "New pictures are refused.",
  storage: "Pictures are missing or late, and new ones are refused.",
  payments: "They cannot pay in, and refunds wait. The game goes on.",
  mails: "Links that confirm an address or set a password do not arrive.",
  pushes: "Messages do not reach phones whose page is closed.",
};

// What has happened
export const happened = "What has happened";
export const nothingHappened = "Nothing is on record yet.";
export const started = (process: string, pid: number) => `${process} has started (process ${pid})`;
export const startedWith = (process: string, pid: number, release: string) =>
  `${process} has started with release ${release} (process ${pid})`;
export const newRelease = "New release";
export const over = (title: string, time: string) => `${title}: over after ${time}`;
export const switchTexts: Readonly<Record<string, (name: string) => string>> = {
  pause_queue: (name) => `The queue ${name} was paused`,
  resume_queue: (name) => `The queue ${name} was resumed`,
  create_webhook: (name) => `The webhook ${name} was created`,
  change_webhook: (name) => `The webhook ${name} was changed`,
  disable_webhook: (name) => `The webhook ${name} was switched off after a day of failures`,
  delete_webhook: (name) => `The webhook ${name} was deleted`,
  rotate_webhook_secret: (name) => `The webhook ${name} got a new secret`,
};
export const otherSwitch = (action: string, name: string) => `${action.replaceAll("_", " ")} ${name}`.trim();
