import * as v from "valibot";
import type { Setting } from "./setting.ts";
import { dollars, onOff, wholeNumber } from "./value-schemas.ts";

const GUEST_GRANT_MAX_CENTS = 10_000;

/** The settings of the game itself. */
export const gameSettings = {
  PLACING_QUEUE_MAX: {
    schema: v.optional(v.pipe(wholeNumber, v.minValue(1)), "2000"),
    must: "a number above 0",
    fallback: "2000",
    about: "how many calls may wait to be placed in a process; more are refused with 503",
  },
  GUESTS_PER_ADDRESS: {
    schema: v.optional(v.pipe(wholeNumber, v.minValue(1)), "300"),
    must: "a number above 0",
    fallback: "300",
    about: "how many guests one address may make a day",
  },
  GUEST_GRANT: {
    schema: v.optional(v.pipe(dollars, v.maxValue(GUEST_GRANT_MAX_CENTS)), "100.00"),
    must: "dollars from 0 to 100.00",
    fallback: "100.00",
    about: "the play money of a guest; a finished account gets the rest of $100.00",
  },
  RANK_GUESTS: {
    schema: v.optional(onOff, "on"),
    must: "on or off",
    fallback: "on",
    about: "off: guests are on no leaderboard until they have an account, and then with all they have won",
  },
} as const satisfies Record<string, Setting>;
