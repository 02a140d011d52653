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

test("the amount of the last page is shown once it is recalled, and never instead of one that was chosen since", () => {
  localStorage.setItem("wager", String(LAST_CENTS));
  expect(readWager().cents).toBe(FIRST_CENTS);
  recallWager();
  expect(readWager().cents).toBe(LAST_CENTS);
  setWager(CHOSEN_CENTS);
  localStorage.setItem("wager", String(LAST_CENTS));
  recallWager();
  expect(readWager().cents).toBe(CHOSEN_CENTS);
});
