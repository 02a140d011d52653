import { describe, expect, test } from "bun:test";
import { payIn } from "#client/payments/send-pay-in.ts";
import { actOnUser } from "#client/screens/users/act-on-user.ts";
import { redirectOf, sendForm } from "#tests/client/base/api/send-form.ts";

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
    ["12.5", 12.5],
    [" 7 ", 7],
    ["12,50", 12.5],
  ])("is read: %p is sent as %p dollars", async (typed, amount) => {
    const { outcome, requests } = await forms[name](typed);
    expect(redirectOf(outcome)).toMatchObject([303, expect.any(String)]);
    expect(requests).toMatchObject([{ method: "POST", body: { [name]: { amount } } }]);
  });

  test.each([
    ["", "can't be blank: type it like 12.50"],
    ["abc", "is not a number: type it like 12.50 or 1,250"],
    ["1.000", "can have at most two digits after the point: type it like 12.50 or 1,250"],
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

test.each([
  ["-5", -5],
  ["-$1,234.50", -1_234.5],
  ["+5", 5],
  ["1,000", 1_000],
])("an adjustment of %p adds or takes %p dollars", async (typed, amount) => {
  const { requests } = await forms.adjustment(typed);
  expect(requests).toMatchObject([{ body: { adjustment: { amount } } }]);
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
