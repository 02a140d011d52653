import { describe, expect, test } from "bun:test";
import { viewerCallsOn } from "#client/calls/viewer-calls.ts";
import { nothingToWager, wagerFault, wagerLimits } from "#client/events/wager-fault.ts";
import { buildCall, buildEvent } from "./action-states.ts";

const limits = { minCents: 200, availableCents: 10_000, leftCents: 5_000 };

describe("an amount that cannot be wagered is refused with what can", () => {
  test.each([
    ["blank", "Type an amount, like 5 or 12.50."],
    ["unclear", "Not an amount. Write it like 12.50."],
    ["decimals", "At most 2 digits after the point."],
    [0, "Wager $2.00 or more."],
    [-500, "Wager $2.00 or more."],
    [199, "Wager $2.00 or more."],
    [5_001, "Up to $50.00 on this question."],
  ] as const)("%p", (amount, fault) => {
    expect(wagerFault(amount, limits)).toBe(fault);
  });

  test("more than the player has, and more than the question takes", () => {
    expect(wagerFault(1_500, { ...limits, availableCents: 1_000 })).toBe("You have $10.00 to wager.");
    expect(wagerFault(500, { ...limits, leftCents: 0 })).toBe("This question takes no more from you.");
  });
});

test("who can wager nothing reads why: no money, or no more on this question", () => {
  expect(nothingToWager(limits)).toBeNull();
  expect(nothingToWager({ ...limits, availableCents: 199 })).toBe("Nothing left to wager");
  expect(nothingToWager({ ...limits, leftCents: 0 })).toBe("Takes no more from you");
});

test("the limits themselves can be wagered", () => {
  for (const amount of [200, 5_000]) expect(wagerFault(amount, limits)).toBeNull();
  expect(wagerFault(1_000, { ...limits, availableCents: 1_000 })).toBeNull();
});

test("what is wagered on the question already counts against its most per player", () => {
  const event = buildEvent({
    maxWagerCents: 1_000,
    minWagerCents: 100,
    myCalls: [buildCall({ wagerCents: 700 })],
  });
  expect(wagerLimits({ event, viewerCalls: viewerCallsOn(event) }, 5_000)).toEqual({
    minCents: 100,
    availableCents: 5_000,
    leftCents: 300,
  });
});

test("without an event only the largest wager of all limits it", () => {
  expect(wagerLimits({ event: null, viewerCalls: null }, 5_000)).toEqual({
    minCents: 1,
    availableCents: 5_000,
    leftCents: 100_000_000,
  });
});
