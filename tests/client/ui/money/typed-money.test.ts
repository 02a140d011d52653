import { describe, expect, test } from "bun:test";
import { formatMoney } from "#client/base/format/money.ts";
import { payIn } from "#client/payments/send-pay-in.ts";
import { actOnUser } from "#client/screens/users/manage-account.tsx";
import { readMoney, typedMoney } from "#client/ui/money/typed-money.ts";
import { redirectOf, sendForm } from "#tests/client/base/api/send-form.ts";

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

const wallet = { path: "/profile/wallet", pattern: "/profile/wallet", params: {} };
const user = { path: "/users/7", pattern: "/users/:id", params: { id: "7" } };
const payment = { provider: "test", reference: "ref-1", checkoutUrl: null };

/** The forms with an amount: how one is sent, and where the amount is in its request. */
const forms = {
  payment: (amount: string) =>
    sendForm(payIn, wallet, {
      fields: { amount, key: "key-1" },
      answer: () => Response.json({ payment }, { status: 201 }),
    }),
  adjustment: (amount: string) =>
    sendForm(actOnUser, user, {
      fields: { intent: "adjust", amount, reason: "A prize", key: "key-1" },
      answer: () => Response.json({}, { status: 201 }),
    }),
  refund: (amount: string) =>
    sendForm(actOnUser, user, {
      fields: { intent: "refund", reference: "ref-1", amount, reason: "Asked", key: "key-1" },
      answer: () => Response.json({}, { status: 201 }),
    }),
};
const names = ["payment", "adjustment", "refund"] as const;

describe.each(names)("the amount of the form of a %s", (name) => {
  test.each([
    ["$42", 42],
    ["12,50", 12.5],
  ])("is read: %p is sent as %p dollars", async (typed, amount) => {
    const { outcome, requests } = await forms[name](typed);
    expect(redirectOf(outcome)).toMatchObject([303, expect.any(String)]);
    expect(requests).toMatchObject([{ method: "POST", body: { [name]: { amount } } }]);
  });

  test.each([
    ["", "can't be blank: type it like 12.50"],
    ["abc", "is not a number: type it like 12.50 or 1,250"],
    ["2.555", "can have at most two digits after the point: type it like 12.50 or 1,250"],
  ])("is refused beside its field: %p, and nothing is sent", async (typed, error) => {
    const { outcome, requests } = await forms[name](typed);
    expect(requests).toEqual([]);
    expect(outcome).toMatchObject({
      data: { amount: typed, errors: { amount: [error] } },
      init: { status: 422 },
    });
  });
});

test.each([
  ["payment", "0", "must be greater than or equal to 1"],
  ["payment", "0.99", "must be greater than or equal to 1"],
  ["payment", "-5", "must be greater than or equal to 1"],
  ["payment", "1,000", "must be less than or equal to 500"],
  ["refund", "0", "must be greater than or equal to 0.01"],
  ["refund", "-5", "must be greater than or equal to 0.01"],
  ["refund", "5 000", "must be less than or equal to 500"],
  ["adjustment", "0", "can't be 0"],
  ["adjustment", "-0.00", "can't be 0"],
  ["adjustment", "10,001", "must be less than or equal to 10000"],
] as const)("outside its limits the amount of a %s is refused: %s", async (name, typed, error) => {
  const { outcome, requests } = await forms[name](typed);
  expect(requests).toEqual([]);
  expect(outcome).toMatchObject({ data: { errors: { amount: [error] } } });
});

test("an amount that is not sent is refused together with an empty reason, in a sentence", async () => {
  const { outcome, requests } = await sendForm(actOnUser, user, {
    fields: { intent: "adjust", amount: "abc", reason: " ", key: "key-1" },
    answer: () => Response.json({}, { status: 201 }),
  });
  expect(requests).toEqual([]);
  const refusal =
    "Validation failed: Amount is not a number: type it like 12.50 or 1,250, Reason can't be blank";
  expect(outcome).toMatchObject({ data: { refusal, errors: { reason: ["can't be blank"] } } });
});
