import { describe, expect, test } from "bun:test";
import { formatMoney } from "#client/base/format/money.ts";
import { readMoney, typedMoney } from "#client/ui/money/typed-money.ts";

describe("what people write is read", () => {
  test.each([
    ["42", 4_200],
    ["$42", 4_200],
    ["$5", 500],
    ["$ 5", 500],
    ["5$", 500],
    [" 7 ", 700],
    ["007", 700],
    ["12.5", 1_250],
    ["12.50", 1_250],
    [".5", 50],
    ["5.", 500],
    ["1,000", 100_000],
    ["12,345", 1_234_500],
    ["1,234.50", 123_450],
    ["$1,234.50", 123_450],
    ["1,000,000", 100_000_000],
    ["5 000", 500_000],
    ["5\u00a0000", 500_000],
    ["5\u202f000,50", 500_050],
    ["12,5", 1_250],
    ["12,50", 1_250],
    ["1234,56", 123_456],
    ["0", 0],
    ["-0", 0],
    ["-5", -500],
    ["-$5.00", -500],
    ["\u22125", -500],
    ["+5", 500],
  ])("%p is %p cents", (text, cents) => {
    expect(readMoney(text)).toBe(cents);
  });
});

describe("what could be read in two ways is refused", () => {
  test.each(["1.000", "2.555", "0.001", "1,000.000", "$1.0000"])("%p has too many decimals", (text) => {
    expect(readMoney(text)).toBe("decimals");
  });

  test.each([
    "0,500",
    "0 500",
    "1,00,000",
    "1,0000",
    "1234,567",
    "1,234,5",
    "1,234,56",
    "5,",
    "1,000,",
    "1.234,50",
    "12 5",
    "5 00",
    "5  000",
    "1,000 000",
  ])("%p is unclear", (text) => {
    expect(readMoney(text)).toBe("unclear");
  });
});

test.each(["abc", "1e3", "0x10", "Infinity", "NaN", "$", "-", ".", "1.2.3", "5 dollars", "--5", "\u0665"])(
  "%p is no amount",
  (text) => {
    expect(readMoney(text)).toBe("unclear");
  },
);

test.each(["", "  ", "\u00a0"])("%p is blank", (text) => {
  expect(readMoney(text)).toBe("blank");
});

test("no length makes an amount inexact: it is above all limits then", () => {
  for (const text of ["9".repeat(17), "9".repeat(400)]) expect(readMoney(text)).toBe(Number.MAX_SAFE_INTEGER);
});

test("every amount that the pages print or put into a field is read as itself", () => {
  for (const cents of [
    1, 5, 10, 99, 100, 101, 999, 1_250, 99_999, 100_000, 123_450, 99_999_999, 100_000_000,
  ]) {
    for (const text of [formatMoney(cents), typedMoney(cents)]) expect(readMoney(text)).toBe(cents);
    expect(readMoney(formatMoney(-cents))).toBe(-cents);
  }
});
