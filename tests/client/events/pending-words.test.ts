import { expect, test } from "bun:test";
import { viewerCallsOn } from "#client/calls/viewer-calls.ts";
import { pendingWords } from "#client/events/pending-words.ts";
import { presentPool } from "#src/play/spots/present-pool.ts";
import { buildCall, buildEvent } from "./action-states.ts";

type Side = "true" | "false";

/** What is said after a result, to a player with calls on these sides, while both sides are called. */
function wordsFor(sides: readonly Side[], pendingResult: boolean | "void", pool = presentPool(500, 300)) {
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
  const pool = presentPool(500, 0);
  expect(wordsFor(["true"], true, pool)).toBe("You were right.");
  expect(wordsFor(["true"], false, pool)).toBe("Your wager comes back.");
});

test("nothing is said to those without a call, and to those who are signed out", () => {
  for (const result of [true, false, "void"] as const) expect(wordsFor([], result)).toBeNull();
  expect(pendingWords(buildEvent({ state: "closed", pendingResult: true }), null)).toBeNull();
});
