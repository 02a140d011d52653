import * as v from "valibot";
import { commaList, dollars, wholeNumber } from "./value-schemas.ts";

const MINUTES_MAX = 1_440;
const AGE_MAX = 99;

const off = v.pipe(
  v.literal("off"),
  v.transform(() => null),
);

/** `Name https://address`, several with commas between them: links with what they are called. */
const namedLinks = v.pipe(
  commaList,
  v.check((links) => links.every((link) => /^\S.* https?:\/\/[^\s/]+\S*$/.test(link))),
  v.mapItems((link) => {
    const at = link.lastIndexOf(" ");
    return { name: link.slice(0, at).trim(), url: link.slice(at + 1) };
  }),
);

export const spendingSettings = {
  DEPOSIT_MAX_WEEK: {
    schema: v.optional(v.union([off, v.pipe(dollars(5), v.minValue(1))]), "100.00"),
    must: "dollars above 0, or off",
    about: "the most that a player pays in within 7 days; off must be written",
  },
  SPENDING_REMINDER_MINUTES: {
    schema: v.optional(v.union([off, v.pipe(wholeNumber, v.minValue(1), v.maxValue(MINUTES_MAX))]), "60"),
    must: `a number from 1 to ${MINUTES_MAX}, or off`,
    about:
      "how often players are told how long they are here, and what they have won or lost since the sign-in",
  },
  MIN_AGE: {
    schema: v.optional(v.union([off, v.pipe(wholeNumber, v.minValue(1), v.maxValue(AGE_MAX))])),
    must: `a number from 1 to ${AGE_MAX}, or off`,
    fallback: "18 where payments are on, else off",
    about: "the age that a player has to confirm once, before the first deposit",
  },
  REGION_HEADER: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z][\w-]*$/))),
    must: "the name of a header, such as CF-IPCountry",
    fallback: "none",
    about:
      "the header in which your proxy says where a request comes from; it must replace what browsers send",
  },
  REGIONS_WITHOUT_PAYMENTS: {
    schema: v.optional(
      v.pipe(
        commaList,
        v.mapItems((region) => region.toUpperCase()),
      ),
    ),
    must: "regions as REGION_HEADER says them, separated by commas, such as US-WA, AU",
    fallback: "none",
    about: "where nothing can be paid in; also where the proxy says no region",
  },
  HELP_LINKS: {
    schema: v.optional(
      namedLinks,
      "Gamblers Anonymous https://www.gamblersanonymous.org, GamCare https://www.gamcare.org.uk",
    ),
    must: "names with addresses, separated by commas, such as GamCare https://www.gamcare.org.uk",
    about: "where players find help, beside their limits and breaks",
  },
} as const;
