import * as v from "valibot";
import type { Setting } from "./setting.ts";
import { wholeNumber } from "./value-schemas.ts";

const PORT_MAX = 65_535;
const WEB_CONCURRENCY_MAX = 64;
const DRAIN_SECONDS_MAX = 300;
const SECOND_MS = 1_000;

/** Where and how the processes run. */
export const processSettings = {
  PORT: {
    schema: v.optional(v.pipe(wholeNumber, v.maxValue(PORT_MAX)), "3000"),
    must: "a number from 0 to 65535",
    fallback: "3000",
    about: "where the page is served",
  },
  HOST: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^[\w.:-]+$/)), "127.0.0.1"),
    must: "a host name or an address",
    fallback: "127.0.0.1",
    about: "the address listened on; 0.0.0.0 for all",
  },
  WEB_CONCURRENCY: {
    schema: v.optional(v.pipe(wholeNumber, v.minValue(1), v.maxValue(WEB_CONCURRENCY_MAX)), "1"),
    must: `a number from 1 to ${WEB_CONCURRENCY_MAX}`,
    fallback: "1",
    about: "how many web processes share the port, such as one for each core; above 1 on Linux only",
  },
  DRAIN_SECONDS: {
    schema: v.optional(
      v.pipe(
        wholeNumber,
        v.maxValue(DRAIN_SECONDS_MAX),
        v.transform((seconds) => seconds * SECOND_MS),
      ),
    ),
    must: `a number from 0 to ${DRAIN_SECONDS_MAX}`,
    fallback: "5; 0 outside production",
    about:
      "how long a web process still serves after SIGTERM, while /ready answers 503 and proxies stop using it",
  },
} as const satisfies Record<string, Setting>;

/** @returns milliseconds. */
export function drainOf(given: number | undefined, production: boolean): number {
  return given ?? (production ? DRAIN_MS : 0);
}

/** Longer than proxies take between two looks at /ready. */
const DRAIN_MS = 5_000;
