import { expect, test } from "bun:test";
import fc from "fast-check";
import { addressesOf } from "#tests/security/reads/addresses.ts";
import { acts } from "#tests/security/reads/play-events.ts";
import { expectNoLeaks } from "#tests/security/reads/read-everything.ts";
import { buildWorld } from "#tests/security/reads/world.ts";

/** Random lists of what is done to events. Much of it is refused; what is not has reached every state. */
const plans = (events: number) =>
  fc.array(fc.array(fc.constantFrom(...acts), { minLength: 2, maxLength: 14, size: "max" }), {
    minLength: events,
    maxLength: events,
    size: "max",
  });

test("in a random show nobody reads what is not theirs, at any address with any query", async () => {
  const [live = [], over = []] = fc.sample(fc.tuple(plans(16), plans(8)), { seed: 1, numRuns: 1 })[0] ?? [];
  const world = await buildWorld({ live, over });
  const addresses = addressesOf(world, { queries: true });
  expect(addresses.length).toBeGreaterThan(500);
  await expectNoLeaks(world, addresses, { turns: false });
});
