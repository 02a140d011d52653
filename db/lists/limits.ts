export const WAGER_MAX_CENTS = 100_000_000;
/** A call can be cancelled until this long before the close of its event. */
export const CANCEL_BEFORE_CLOSE_MS = 5_000;
/** During a pause a call can be cancelled only if it was placed in this time before the pause. */
export const CANCEL_BEFORE_PAUSE_MS = 10_000;
/** How long an event stays open: up to 30 days. */
export const durationSeconds = { min: 5, max: 2_592_000 };
/** Lengths of texts count characters as people see them. The database counts code points, so it allows this many for each. */
export const CODES_PER_CHARACTER = 16;
export const MESSAGE_LENGTH_MAX = 500;

/** The most that a player pays in at once. */
export const PAYMENT_MAX_CENTS = 50_000;
/** The most that one adjustment of a wallet adds or takes. */
export const ADJUSTMENT_MAX_CENTS = 1_000_000;

/** What a player with an account starts with. */
export const WELCOME_CENTS = 10_000;
/** The available balance after a top-up, unless the player owes something: debt is paid first. */
export const TOP_UP_TO_CENTS = 1_000;
/** The most that a call can cost to which the house adds what the player lacks, once for a player and event. */
export const HOUSE_DOLLAR_CENTS = 100;
/** What a robot of the demo gets for an event. */
export const ROBOT_ALLOWANCE_CENTS = 5_000;

/** What is open for longer than this, in seconds, is open beside the running order: no other event waits for it. */
export const BESIDE_ORDER_SECONDS = 3_600;

/** True for an event that is open beside the running order. */
export function isBesideOrder({ durationSeconds }: { durationSeconds: number }): boolean {
  return durationSeconds > BESIDE_ORDER_SECONDS;
}

export const SESSION_HOSTS_MAX = 50;
/** The most sessions that one user hosts: the sign-in reads all of them. */
export const HOSTED_SESSIONS_MAX = 1_000;
