import { expect, test } from "bun:test";
import { formatChange, formatMoney } from "#src/http/contract.ts";
import { centsOf, dollarsOf } from "#src/http/money.ts";

test("amounts in texts of the server have the dollar sign, two decimals, and a comma between thousands", () => {
  expect([0, 5, 123, 123_450, -380, 100_000_000_00].map(formatMoney)).toEqual([
    "$0.00",
    "$0.05",
    "$1.23",
    "$1,234.50",
    "-$3.80",
    "$100,000,000.00",
  ]);
  expect([380, -380, 0].map(formatChange)).toEqual(["+$3.80", "-$3.80", "$0.00"]);
});

test("dollars of a request have at most two decimals", () => {
  expect([1, 12.5, 0.01, 0.001, 1.005, Number.NaN].map(centsOf)).toEqual([100, 1_250, 1, null, null, null]);
  expect(dollarsOf(1_250)).toBe(12.5);
});
