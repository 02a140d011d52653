import { expect, test } from "bun:test";
import { viewerCallsOn } from "#client/calls/viewer-calls.ts";
import { storyOf } from "#client/card/result.tsx";
import { pendingWords, resultLabel } from "#client/events/result-label.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import { buildEvent, buildCall } from "./action-states.ts";

test.each([
  [{ result: true }, "Yes"],
  [{ result: false }, "No"],
  [{ voided: true }, "Called off"],
  [{ pendingResult: true }, "Yes"],
  [{ pendingResult: false }, "No"],
  [{ pendingResult: "void" }, "Called off"],
] as const)(
  "the label of an event with %p is that of its result, also before it is paid",
  (changes, label) => {
    expect(resultLabel(buildEvent(changes))).toBe(label);
  },
);

type Side = "true" | "false";

/** What is said after a result, to a player with calls on these sides, while both sides are called. */
function wordsFor(sides: readonly Side[], pendingResult: boolean | "void", pool = poolOf(500, 300)) {
  const myCalls = sides.map((side, index) => buildCall({ id: index + 1, side }));
  const event = buildEvent({ state: "closed", pendingResult, pool, myCalls });
  return pendingWords(event, viewerCallsOn(event));
}

test.each([
  [["true"], true, "You called it."],
  [["false"], false, "You called it."],
  [["true", "true"], true, "You called it."],
  [["true"], false, "Not this time."],
  [["false", "false"], true, "Not this time."],
  [["true", "false"], true, "You called both sides."],
  [["true"], "void", "Your wager comes back."],
  [["true", "false"], "void", "Your wager comes back."],
] as const)("calls on %j and the result %p, not paid yet: %s", (sides, result, words) => {
  expect(wordsFor(sides, result)).toBe(words);
});

test("where nobody took the other side, who was right is told so, and others that the wager comes back", () => {
  const pool = poolOf(500, 0);
  expect(wordsFor(["true"], true, pool)).toBe("You were right.");
  expect(wordsFor(["true"], false, pool)).toBe("Your wager comes back.");
});

test("nothing is said to those without a call, and to those who are signed out", () => {
  for (const result of [true, false, "void"] as const) expect(wordsFor([], result)).toBeNull();
  expect(pendingWords(buildEvent({ state: "closed", pendingResult: true }), null)).toBeNull();
});

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

test("being nearly alone and right is a story; a win of many, and a win among few calls, is none", () => {
  expect(storyFor("true", { true: 3, false: 38 })).toEqual({
    text: "Only you and 2 of 41 saw it.",
    isRare: true,
  });
  expect(storyFor("true", { true: 1, false: 3 })).toEqual({ text: "Only you of 4 saw it.", isRare: true });
  expect(storyFor("true", { true: 2, false: 9 }, 2)?.text).toBe("Only you of 11 saw it.");
  expect(storyFor("true", { true: 12, false: 29 })).toBeNull();
  expect(storyFor("true", { true: 1, false: 2 })).toBeNull();
});

test("a loss says how near it was", () => {
  expect(storyFor("false", { true: 22, false: 19 })?.text).toBe(
    "It was close: you and 18 of 41 saw it that way.",
  );
  expect(storyFor("false", { true: 38, false: 3 })?.text).toBe("You and 2 of 41 saw it that way.");
  expect(storyFor("false", { true: 40, false: 1 })?.text).toBe("You were alone on that side.");
});
