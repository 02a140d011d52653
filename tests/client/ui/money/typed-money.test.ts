import { expect, test } from "bun:test";
import { formatMoney } from "#client/base/format/money.ts";
import { readMoney, typedMoney } from "#client/ui/money/typed-money.ts";

test.each([
  [4_200, ["42", "$42"]],
  [500, ["$5", "$ 5", "5$", "5.", "+5"]],
  [700, [" 7 ", "007"]],
  [1_250, ["12.5", "12.50", "12,5", "12,50"]],
  [50, [".5"]],
  [100_000, ["1,000"]],
  [123_450, ["1,234.50", "$1,234.50"]],
  [100_000_000, ["1,000,000"]],
  [500_000, ["5 000", "5\u00a0000"]],
  [500_050, ["5\u202f000,50"]],
  [123_456, ["1234,56"]],
  [0, ["0", "-0"]],
  [-500, ["-5", "-$5.00", "\u22125"]],
])("%p cents are read from all that people write for them: %j", (cents, texts) => {
  for (const text of texts) expect([text, readMoney(text)]).toEqual([text, cents]);
});

test.each([
  ["decimals", ["1.000", "2.555", "0.001", "1,000.000", "$1.0000"]],
  ["unclear", ["0,500", "0 500", "1,00,000", "1,0000", "1234,567", "1,234,5", "1,234,56", "5,", "1,000,"]],
  ["unclear", ["1.234,50", "12 5", "5 00", "5  000", "1,000 000"]],
  [
    "unclear",
    ["abc", "1e3", "0x10", "Infinity", "NaN", "$", "-", ".", "1.2.3", "5 dollars", "--5", "\u0665"],
  ],
  ["blank", ["", "  ", "\u00a0"]],
] as const)("what is no amount, or could be read in two ways, is %s: %j", (problem, texts) => {
  for (const text of texts) expect([text, readMoney(text)]).toEqual([text, problem]);
});

test("every amount that the pages print or put into a field is read as itself", () => {
  for (const cents of [
    1, 5, 10, 99, 100, 101, 999, 1_250, 99_999, 100_000, 123_450, 99_999_999, 100_000_000,
  ]) {
    for (const text of [formatMoney(cents), typedMoney(cents)]) expect(readMoney(text)).toBe(cents);
    expect(readMoney(formatMoney(-cents))).toBe(-cents);
  }
});
