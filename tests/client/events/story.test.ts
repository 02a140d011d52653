import { expect, test } from "bun:test";
import { viewerCallsOn } from "#client/calls/viewer-calls.ts";
import { storyOf } from "#client/card/result.tsx";
import { buildCall, buildEvent } from "./action-states.ts";

type Side = "true" | "false";

/** What others did on an event that went true. @param counts the calls on the two sides, the player's among them. */
function storyFor(side: Side, counts: Record<Side, number>, own = 1) {
  const right = side === "true";
  const paid = {
    side,
    state: "resolved",
    outcome: right ? "won" : "lost",
    payoutCents: right ? 900 : 0,
  } as const;
  const [yes, no] = buildEvent().spots;
  const event = buildEvent({
    state: "resolved",
    result: true,
    spots: [
      { ...yes, callsCount: counts.true },
      { ...no, callsCount: counts.false },
    ],
    callsCount: counts.true + counts.false,
    myCalls: Array.from({ length: own }, (_, index) => buildCall({ id: index + 1, ...paid })),
  });
  const { calls, outcome } = viewerCallsOn(event);
  return outcome === null ? null : storyOf(event, outcome, calls);
}

test("being nearly alone and right is a story", () => {
  expect(storyFor("true", { true: 3, false: 38 })).toEqual({
    text: "Only you and 2 of 41 saw it.",
    isRare: true,
  });
  expect(storyFor("true", { true: 1, false: 3 })).toEqual({ text: "Only you of 4 saw it.", isRare: true });
  expect(storyFor("true", { true: 2, false: 9 }, 2)?.text).toBe("Only you of 11 saw it.");
});

test("a win of many, and a win among few calls, is none", () => {
  expect(storyFor("true", { true: 12, false: 29 })).toBeNull();
  expect(storyFor("true", { true: 1, false: 2 })).toBeNull();
});

test("a loss says how near it was", () => {
  expect(storyFor("false", { true: 22, false: 19 })?.text).toBe(
    "It was close: you and 18 of 41 saw it that way.",
  );
  expect(storyFor("false", { true: 38, false: 3 })?.text).toBe("You and 2 of 41 saw it that way.");
  expect(storyFor("false", { true: 40, false: 1 })?.text).toBe("Only you saw it that way.");
});
