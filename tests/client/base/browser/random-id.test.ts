import { expect, test } from "bun:test";
import { randomId } from "#client/base/browser/random-id.ts";
import { afterTest } from "#tests/support/after-file.ts";

// It hides the function of the prototype.
afterTest(() => void Reflect.deleteProperty(crypto, "randomUUID"));

test("an id has the form of a random UUID, also where the context is not secure", () => {
  Object.assign(crypto, { randomUUID: undefined });
  for (let made = 0; made < 1_000; made += 1)
    expect(randomId()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
});

test("a thousand ids are a thousand different ones, in their last part too", () => {
  const ids = Array.from({ length: 1_000 }, randomId);
  expect(new Set(ids).size).toBe(1_000);
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(1_000);
});
