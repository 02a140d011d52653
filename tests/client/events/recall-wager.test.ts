import { expect, test } from "bun:test";
import { readWager, recallWager, setWager } from "#client/events/use-wager.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const FIRST_CENTS = 100;
const LAST_CENTS = 700;
const CHOSEN_CENTS = 300;

const closeDom = openDom();
afterFile(() => {
  setWager(FIRST_CENTS);
  localStorage.clear();
  return closeDom();
});

const ANA = 7;
const BEN = 8;

test("the amount of the last page is shown once it is recalled, and never instead of one that was chosen since", () => {
  localStorage.setItem("wager", `${LAST_CENTS} ${ANA}`);
  expect(readWager().cents).toBe(FIRST_CENTS);
  recallWager(ANA);
  expect(readWager().cents).toBe(LAST_CENTS);
  setWager(CHOSEN_CENTS);
  expect(localStorage.getItem("wager")).toBe(`${CHOSEN_CENTS} ${ANA}`);
  localStorage.setItem("wager", `${LAST_CENTS} ${ANA}`);
  recallWager(ANA);
  expect(readWager().cents).toBe(CHOSEN_CENTS);
});

test.each([`${LAST_CENTS} ${ANA}`, String(LAST_CENTS), "", "NaN 8", "-5 8"])(
  "on a page of another player %p is nobody's amount",
  async (stored) => {
    localStorage.setItem("wager", stored);
    // Another page: its module is new.
    const page = `#client/events/use-wager.ts?${crypto.randomUUID()}`;
    const other: typeof import("#client/events/use-wager.ts") = await import(page);
    other.recallWager(BEN);
    expect(other.readWager().cents).toBe(FIRST_CENTS);
  },
);
