import type { NamedTest, Statement } from "./statements.ts";

const connection = "tests/client/reconnecting.test.ts";
const backoff: NamedTest = [
  connection,
  "checks grow apart by a rate of 0.15, at most ten times, with a jitter of up to 1 and then 0.15 (chance %p)",
];
const money: NamedTest = [
  "tests/client/formats.test.ts",
  "has the dollar sign, two decimals, and a comma between thousands",
];
const serverMoney: NamedTest = [
  "tests/http/money.test.ts",
  "amounts in texts of the server have the dollar sign, two decimals, and a comma between thousands",
];
const times: NamedTest = ["tests/client/formats.test.ts", "are formatted in the viewer's time zone"];

/** The statements of chapter 9 of the specification, constants and limits, by number. */
export const constantStatements: Readonly<Record<string, Statement>> = {
  "9.01": {
    says: "the default wager is 1",
    test: ["tests/calls/routes.test.ts", "the default wager is one dollar, and camelCase is accepted"],
  },
  "9.02": {
    says: "active calls are placed or closed",
    test: [
      "tests/calls/active-calls.test.ts",
      "a call is active while it is placed or closed, and only then its wager is held",
    ],
  },
  "9.03": {
    says: "a connection is stale after 6 s",
    test: [connection, "is closed when the check finds it silent for more than 6 seconds"],
    also: [connection, "is kept for 6 seconds"],
  },
  "9.04": { says: "the backoff rate is 0.15", test: backoff },
  "9.05": { says: "its exponent at most 10", test: backoff },
  "9.06": {
    says: "reopening waits 500 ms",
    test: [connection, "is opened again 500 ms after it was closed"],
  },
  "9.07": {
    says: "subscriptions are retried every 500 ms",
    test: [connection, "a pending subscription is sent again every 500 ms until it is confirmed"],
  },
  "9.08": {
    says: "a visible page checks after 200 ms",
    test: [connection, "checks its connection after 200 ms"],
  },
  "9.09": { says: "the currency is $", test: money, also: serverMoney },
  "9.10": { says: "with 2 decimals", test: money, also: serverMoney },
  "9.11": { says: "a point before them", test: money, also: serverMoney },
  "9.12": { says: "and a comma between thousands", test: money, also: serverMoney },
  "9.13": { says: "dates are year-month-day", test: times },
  "9.14": {
    says: "the helper shows day, short month, 12-hour time and meridiem",
    test: times,
    also: ["tests/client/formats.test.ts", "noon and midnight are 12"],
  },
  "9.15": {
    says: "English only",
    test: [
      "tests/ssr/page.test.ts",
      "a page is in English, with money and times in one format, whatever languages the browser prefers",
    ],
  },
};
