import { expect, test } from "bun:test";
import {
  boundWager,
  offerKept,
  readWager,
  recallWager,
  setWager,
  stepWager,
  typeWager,
  wagerAll,
} from "#client/events/use-wager.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const FIRST_CENTS = 100;
const ANA = 7;
const BEN = 8;

const closeDom = openDom();
const cents = () => readWager().cents;
const reset = () => {
  boundWager(0);
  setWager(FIRST_CENTS);
};
afterTest(reset);
afterFile(() => {
  localStorage.clear();
  return closeDom();
});

/** The module as a page has it that was just opened. */
async function buildPageContext() {
  delete require.cache[Bun.resolveSync("#client/events/use-wager.ts", import.meta.dir)];
  return import("#client/events/use-wager.ts");
}

test("the amount of the last page is shown once it is recalled, to its player alone", async () => {
  recallWager(ANA);
  setWager(700);
  const ofAna = await buildPageContext();
  expect(ofAna.readWager().cents).toBe(FIRST_CENTS);
  ofAna.recallWager(ANA);
  expect(ofAna.readWager().cents).toBe(700);
  const ofBen = await buildPageContext();
  ofBen.recallWager(BEN);
  expect(ofBen.readWager().cents).toBe(FIRST_CENTS);
});

test("an amount that was chosen before the page is live, or stored by a former release, is not replaced by the stored one", async () => {
  localStorage.setItem("wager", `${ANA}:700`);
  const early = await buildPageContext();
  early.setWager(300);
  early.recallWager(ANA);
  expect(early.readWager().cents).toBe(300);
  localStorage.setItem("wager", "700");
  const upgraded = await buildPageContext();
  upgraded.recallWager(ANA);
  expect(upgraded.readWager().cents).toBe(FIRST_CENTS);
});

test("Max is of one question: the next begins with the amount before it, also on the next page", async () => {
  recallWager(ANA);
  setWager(500);
  boundWager(14_007);
  wagerAll();
  expect(cents()).toBe(14_007);
  offerKept();
  expect(cents()).toBe(500);
  // One step more than there is, is all that there is.
  setWager(14_000);
  stepWager(1);
  expect(cents()).toBe(14_007);
  const next = await buildPageContext();
  next.recallWager(ANA);
  expect(next.readWager().cents).toBe(14_000);
});

test("the amount is never more than what can be wagered, and is there again once it can be", () => {
  setWager(500);
  boundWager(250);
  expect(cents()).toBe(250);
  offerKept();
  expect(cents()).toBe(250);
  boundWager(1_000);
  expect(cents()).toBe(250);
  offerKept();
  expect(cents()).toBe(500);
  // Without money nothing is cut: the amount waits.
  boundWager(0);
  expect(cents()).toBe(500);
  // All that there was is not offered again.
  boundWager(10_267);
  wagerAll();
  boundWager(0);
  expect(cents()).toBe(500);
});

test("an amount that is being typed is left as it is", () => {
  typeWager("12");
  boundWager(250);
  offerKept();
  expect(readWager()).toMatchObject({ cents: 1_200, typed: "12" });
});
