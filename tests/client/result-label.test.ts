import { expect, test } from "bun:test";
import { resultLabel } from "#client/action/result-label.ts";
import { buildEvent } from "./action-states.ts";

test.each([
  [{ result: true }, "Yes"],
  [{ result: false }, "No"],
  [{ voided: true }, "Void"],
  [{ pendingResult: true }, "Yes"],
  [{ pendingResult: false }, "No"],
  [{ pendingResult: "void" }, "Void"],
] as const)("how an event ended (%p) is said in its own words, also before it is paid", (how, label) => {
  expect(resultLabel(buildEvent(how))).toBe(label);
});
