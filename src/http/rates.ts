/** How often something may be done within a time: by one account, and from one address, behind which many may play. */
export type Rate = {
  name: string;
  withinS: number;
  perAccount?: number;
  perAddress?: number;
  /** Each process counts for itself: for what happens too often to ask Redis every time. */
  perProcess?: true;
};

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** Everything that is limited, one row each. */
export const rates = {
  playAsGuest: { name: "guest", withinS: HOUR_S, perAddress: 60 },
  register: { name: "register", withinS: HOUR_S, perAccount: 20, perAddress: 60 },
  /** More than lock an account, so that whoever locks it is told so. */
  signIn: { name: "sign-in", withinS: 10 * MINUTE_S, perAccount: 60, perAddress: 300 },
  askForMail: { name: "ask-for-mail", withinS: HOUR_S, perAccount: 10, perAddress: 60 },
  openMailLink: { name: "mail-link", withinS: HOUR_S, perAddress: 120 },
  upload: { name: "upload", withinS: HOUR_S, perAccount: 60, perAddress: 300 },
  changeAccount: { name: "change-account", withinS: HOUR_S, perAccount: 30 },
  recompute: { name: "recompute", withinS: MINUTE_S, perAccount: 20 },
  /** Faster than any hand; a guard against loops. */
  placeCall: { name: "call", withinS: MINUTE_S, perAccount: 600, perProcess: true },
  /** Its own rule is a message every 2 s; this bounds what is refused again and again. */
  speak: { name: "speak", withinS: MINUTE_S, perAccount: 60, perProcess: true },
  checkBooks: { name: "check-books", withinS: MINUTE_S, perAccount: 10 },
  pay: { name: "pay", withinS: HOUR_S, perAccount: 30 },
} as const satisfies Record<string, Rate>;
