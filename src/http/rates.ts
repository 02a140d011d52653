import type { Env } from "#src/settings/env.ts";

/** A rate limit: how often an action is allowed within a time, per account and per address. Many may share an address. */
export type Rate = {
  name: string;
  withinS: number;
  perAccount?: number;
  perAddress?: number | ((settings: Pick<Env, "guestsPerAddress">) => number);
  /** What a refused person can do instead of waiting; completes the sentence "Try again in a minute". */
  instead?: string;
  /** Each process counts on its own, for actions that are too frequent for a round trip to Redis each time. */
  perProcess?: true;
  /** What is allowed is spread over the time: who comes early waits for a turn, and is refused only where all turns are taken. */
  inTurns?: true;
};

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/**
 * What everybody behind one address may do within minutes, because a classroom or a pub has one address: as many people as
 * GUESTS_PER_ADDRESS, each so many times.
 */
const perPerson =
  (times: number, { atLeast }: { atLeast: number }) =>
  ({ guestsPerAddress }: Pick<Env, "guestsPerAddress">) =>
    Math.max(atLeast, Math.ceil(times * guestsPerAddress));

export const rates = {
  /** Each guest comes with play money, and all of an address could play against one account. All may come at once. */
  playAsGuest: {
    name: "guests-of-day",
    withinS: DAY_S,
    perAddress: ({ guestsPerAddress }) => guestsPerAddress,
    instead: "or create an account",
  },
  /** Everybody of a place comes at once, and some come again without their cookies. Far above a room, and far below a flood. */
  joinAsGuest: {
    name: "guests-by-code",
    withinS: HOUR_S,
    perAddress: perPerson(3, { atLeast: 1_000 }),
    instead: "or sign in",
  },
  /** The account is the session. Ten times what one address may do, so that nobody alone closes a show to the others. */
  joinShowAsGuest: {
    name: "guests-of-show",
    withinS: HOUR_S,
    perAccount: 10_000,
    instead: "or sign in",
  },
  /** What no crowd at a door exceeds: src/show/join-codes/join-session.ts. */
  enterBurst: { name: "enter-burst", withinS: 5, perAddress: perPerson(0.5, { atLeast: 150 }) },
  /** 300 people walk in within two minutes, and some come again. */
  enter: { name: "enter", withinS: 2 * MINUTE_S, perAddress: perPerson(1.5, { atLeast: 450 }) },
  /** Wrong codes only. Everybody of a place may mistype theirs a few times. What follows: src/show/join-codes/join-code.ts. */
  wrongJoinCode: { name: "wrong-join-code", withinS: HOUR_S, perAddress: perPerson(3, { atLeast: 600 }) },
  /** Those of all addresses together. The account is everybody. */
  wrongJoinCodes: { name: "wrong-join-codes", withinS: HOUR_S, perAccount: 10_000 },
  /** One each 2 s. */
  tryJoinCode: { name: "try-join-code", withinS: 10, perAddress: 5, inTurns: true },
  /** Twice for each person, because a first form is often refused. */
  register: {
    name: "register",
    withinS: HOUR_S,
    perAccount: 20,
    perAddress: perPerson(2, { atLeast: 60 }),
    instead: "or play as a guest until then",
  },
  /** A registration sends a mail to whom it names. */
  registerEmail: { name: "register-email", withinS: HOUR_S, perAccount: 20 },
  /** More attempts than it takes to lock an account, so that the answer is "locked" and not "too often". */
  signIn: {
    name: "sign-in",
    withinS: 10 * MINUTE_S,
    perAccount: 60,
    perAddress: perPerson(2, { atLeast: 300 }),
  },
  /** A sign-in is two requests. */
  passkeySignIn: {
    name: "passkey-sign-in",
    withinS: 10 * MINUTE_S,
    perAddress: perPerson(4, { atLeast: 600 }),
  },
  /** A sign-in at the provider is two requests too, and what has failed is tried again. */
  oidcSignIn: {
    name: "oidc-sign-in",
    withinS: 10 * MINUTE_S,
    perAddress: perPerson(4, { atLeast: 600 }),
  },
  /** All people of one place may sign in when the show begins; hashing their passwords takes the server seconds. */
  signInBurst: { name: "sign-in-burst", withinS: 10, perAddress: 60 },
  /** The account is the recipient. */
  askForMail: {
    name: "ask-for-mail",
    withinS: HOUR_S,
    perAccount: 10,
    perAddress: perPerson(1, { atLeast: 60 }),
  },
  openMailLink: { name: "mail-link", withinS: HOUR_S, perAddress: perPerson(2, { atLeast: 120 }) },
  upload: { name: "upload", withinS: HOUR_S, perAccount: 60, perAddress: perPerson(2, { atLeast: 300 }) },
  changeAccount: { name: "change-account", withinS: HOUR_S, perAccount: 30 },
  exportAccount: { name: "export-account", withinS: HOUR_S, perAccount: 20 },
  recompute: { name: "recompute", withinS: MINUTE_S, perAccount: 20 },
  /** The check of a whole session asks for each of its decisions. */
  recomputeDecision: { name: "recompute-decision", withinS: MINUTE_S, perAccount: 600 },
  replay: { name: "replay", withinS: MINUTE_S, perAccount: 60 },
  planFiles: { name: "plan-files", withinS: MINUTE_S, perAccount: 60 },
  resultsSheet: { name: "results-sheet", withinS: MINUTE_S, perAccount: 60 },
  /** Far above what a person can do: a guard against loops. */
  placeCall: { name: "call", withinS: MINUTE_S, perAccount: 600, perProcess: true },
  /** The chat itself allows a message every 2 s. This limits how often a client can be refused. */
  speak: { name: "speak", withinS: MINUTE_S, perAccount: 60, perProcess: true },
  /** Fast tapping. The page sends no more than this. */
  react: { name: "react", withinS: 10, perAccount: 10, perProcess: true },
  dryRun: { name: "dry-run", withinS: MINUTE_S, perAccount: 20 },
  /** A host's page reports every 5 s, and whenever something is armed or disarmed. */
  host: { name: "host", withinS: 10, perAccount: 120, perProcess: true },
  checkBooks: { name: "check-books", withinS: MINUTE_S, perAccount: 10 },
  subscribe: { name: "subscribe", withinS: HOUR_S, perAccount: 120 },
  share: { name: "share", withinS: HOUR_S, perAccount: 120 },
  /** A program that asks each second, with room for bursts. */
  accessToken: { name: "access-token", withinS: MINUTE_S, perAccount: 600 },
  changeWebhook: { name: "change-webhook", withinS: MINUTE_S, perAccount: 60 },
  refusedToken: { name: "refused-token", withinS: MINUTE_S, perAddress: 120 },
  pay: { name: "pay", withinS: HOUR_S, perAccount: 30 },
} as const satisfies Record<string, Rate>;
