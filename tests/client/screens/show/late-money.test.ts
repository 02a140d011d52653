import { expect, test } from "bun:test";
import { describeLateMoney } from "#client/screens/show/health/late-alarm.tsx";
import type { LateMoney, Pace } from "#src/operate/health/schemas.ts";

const labels = { trueLabel: "Yes", falseLabel: "No" };
const ALARM_SHARE = 0.3;

/** Late money in dollars, of all money. */
function money(late: number, total: number, changes: Partial<LateMoney> = {}): LateMoney {
  return {
    late,
    lateCents: late * 100,
    total,
    totalCents: total * 100,
    share: total === 0 ? 0 : late / total,
    alarm: false,
    tooFew: false,
    ...changes,
  };
}

const told = (yes: LateMoney, no: LateMoney, both: LateMoney): NonNullable<Pace["late"]> => ({
  sides: [
    { side: "true", ...yes },
    { side: "false", ...no },
  ],
  ...both,
  usualShare: null,
  alarmShare: ALARM_SHARE,
});
const tooFew = { tooFew: true };

test("too few calls to judge are told with the money of both sides, with a warning if it is much", () => {
  const late = told(money(30, 32, tooFew), money(30, 32, tooFew), money(60, 64, tooFew));
  expect(describeLateMoney(late, labels)).toEqual({
    alarms: [],
    unjudged: ["Too few calls to judge: $60 of $64 in the last second"],
    warn: true,
  });
});

test("a little late money in too few calls is told without a warning", () => {
  const late = told(money(1, 10, tooFew), money(0, 10), money(1, 20, tooFew));
  expect(describeLateMoney(late, labels)).toMatchObject({
    unjudged: ["Too few calls to judge: $1 of $20 in the last second"],
    warn: false,
  });
});

test("where only one side has too few calls, it is named", () => {
  const late = told(money(0, 800), money(50, 50, tooFew), money(50, 850));
  expect(describeLateMoney(late, labels)).toEqual({
    alarms: [],
    unjudged: ["Too few calls on No to judge: $50 of $50 in the last second"],
    warn: true,
  });
});

test("an alarm of both sides together is told where no side has one of its own", () => {
  const both = money(60, 66, { alarm: true });
  const late = told(money(40, 43, tooFew), money(20, 23, tooFew), both);
  expect(describeLateMoney(late, labels)).toMatchObject({
    alarms: ["91% of the money, $60, came in the last second."],
    warn: true,
  });
  const ofOne = told(money(40, 43, { alarm: true }), money(20, 23, tooFew), both);
  expect(describeLateMoney(ofOne, labels).alarms).toEqual([
    "93% of the money on Yes, $40, came in the last second.",
  ]);
});

test("money that came in time is not mentioned", () => {
  const late = told(money(1, 100), money(0, 100), money(1, 200));
  expect(describeLateMoney(late, labels)).toEqual({ alarms: [], unjudged: [], warn: false });
});
