import { expect, test } from "bun:test";
import { resultLabel } from "#client/events/result-label.ts";
import { buildEvent } from "./action-states.ts";

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
