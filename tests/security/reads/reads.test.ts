import { expect, test } from "bun:test";
import { roundsOf } from "#tests/support/rounds.ts";
import { addressesOf } from "./addresses.ts";
import type { Act } from "./play-events.ts";
import { expectNoLeaks } from "./read-everything.ts";
import { buildWorld } from "./world.ts";

// Nobody reads what is not theirs: drafts, hidden, destroyed, reset and renamed questions, what a player has of their own, what a
// host has armed. Each has a text that stands nowhere else, and every viewer reads every address that answers GET, the cable and a
// webhook's messages. Endpoints and pages come from their lists, so a new one is read too. reads.proof.ts plays shows at random.

/** Plans of events, each with questions that were never asked. */
const live: Act[][] = [
  [],
  ["publish", "hide", "rename", "destroy"],
  ["publish", "open", "call", "close", "resolve", "reset", "rename"],
  ["publish", "open", "call", "skip", "rename"],
  ["publish", "open", "call", "reset", "rename", "rename", "publish", "open", "call"],
];
const over: Act[][] = [[], ["publish", "open", "call", "reset", "rename"]];

test("nobody reads a question that was never asked, or what belongs to somebody else", async () => {
  const world = await buildWorld({ live, over });
  const addresses = addressesOf(world, { queries: false });
  expect(addresses.length).toBeGreaterThan(150);
  await expectNoLeaks(world, addresses, { turns: roundsOf({ daily: 1, many: 2 }) === 1 });
});
