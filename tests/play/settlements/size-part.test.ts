import { expect, test } from "bun:test";
import { sizePart } from "#src/play/settlements/pay-settlement.ts";

test("a part has as many calls as the part before would have paid in 40 ms, from 250 to 5,000", () => {
  expect(sizePart(500, 40)).toBe(500);
  expect(sizePart(500, 20)).toBe(1_000);
  expect(sizePart(1_000, 80)).toBe(500);
  expect(sizePart(1_000, 400)).toBe(250);
  expect(sizePart(4_000, 1)).toBe(5_000);
});

test("a part of few calls leaves the size to the ledger", () => {
  expect(sizePart(249, 1)).toBeNull();
  expect(sizePart(0, 1)).toBeNull();
});
