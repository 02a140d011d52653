import { expect, test } from "bun:test";
import { createPushServices } from "#src/people/push/push-services.ts";

const A = "https://push-a.example";
const B = "https://push-b.example";
const at = { ms: 0 };
const services = () => {
  at.ms = 0;
  return createPushServices(() => at.ms);
};

test("one refusal may be about one message; after two in a row one message asks at a time, and the others wait without a request", () => {
  const known = services();
  expect(known.refused(A, "it answers 503")).toBe(4_000);
  expect([known.waitMs(A), known.trouble()]).toEqual([0, null]);
  known.refused(A, "it answers 503");
  expect(known.trouble()).toBe(`${A}: it answers 503`);
  expect([known.waitMs(A), known.waitMs(B)]).toEqual([4_000, 0]);
  at.ms = 4_000;
  // This one asks.
  expect(known.waitMs(A)).toBe(0);
  expect(known.waitMs(A)).toBe(4_000);
  expect(known.took(A)).toBe(true);
  expect([known.took(A), known.waitMs(A), known.trouble()]).toEqual([false, 0, null]);
});

test("a service that is away for long is asked each minute, or when it says, and forgotten once nobody asks it", () => {
  const known = services();
  known.refused(A, "away");
  at.ms = 3_600_000;
  expect(known.refused(A, "away")).toBe(60_000);
  expect(known.refused(A, "it answers 503", 120_000)).toBe(120_000);
  expect(known.waitMs(A)).toBe(120_000);
  at.ms += 300_001;
  expect(known.trouble()).toBeNull();
});
