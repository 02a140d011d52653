/** A rate limit: how often an action is allowed within a time, per account and per address. Many may share an address. */
export type Rate = {
  name: string;
  withinS: number;
  perAccount?: number;
  perAddress?: number;
  /** Each process counts on its own, for actions that are too frequent for a round trip to Redis each time. */
  perProcess?: true;
};

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** All rate limits. */
export const rates = {
  playAsGuest: { name: "guest", withinS: HOUR_S, perAddress: 60 },
  register: { name: "register", withinS: HOUR_S, perAccount: 20, perAddress: 60 },
  /** More attempts than it takes to lock an account, so that the answer is "locked" and not "too often". */
  signIn: { name: "sign-in", withinS: 10 * MINUTE_S, perAccount: 60, perAddress: 300 },
  askForMail: { name: "ask-for-mail", withinS: HOUR_S, perAccount: 10, perAddress: 60 },
  openMailLink: { name: "mail-link", withinS: HOUR_S, perAddress: 120 },
  upload: { name: "upload", withinS: HOUR_S, perAccount: 60, perAddress: 300 },
  changeAccount: { name: "change-account", withinS: HOUR_S, perAccount: 30 },
  recompute: { name: "recompute", withinS: MINUTE_S, perAccount: 20 },
  /** Far above what a person can do: a guard against loops. */
  placeCall: { name: "call", withinS: MINUTE_S, perAccount: 600, perProcess: true },
  /** The chat itself allows a message every 2 s. This limits how often a client can be refused. */
  speak: { name: "speak", withinS: MINUTE_S, perAccount: 60, perProcess: true },
  checkBooks: { name: "check-books", withinS: MINUTE_S, perAccount: 10 },
  pay: { name: "pay", withinS: HOUR_S, perAccount: 30 },
} as const satisfies Record<string, Rate>;
