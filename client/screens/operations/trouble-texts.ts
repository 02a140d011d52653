import { countOf } from "#client/base/format/count.ts";

/** The texts about what is wrong, and about what has happened. */
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
