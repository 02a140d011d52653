import { expect, test } from "bun:test";
import { callStates } from "#db/lists/calls.ts";
import { allows } from "#src/http/contract.ts";
import { callTransitions } from "#src/play/calls/contract.ts";

test("the transitions of a call are those of the specification", () => {
  const names = ["close", "hide", "resolve"] as const;
  const moves = names.flatMap((name) =>
    callStates
      .filter((state) => allows<typeof name, (typeof callStates)[number]>(callTransitions, name, state))
      .map((state) => `${name}: ${state} -> ${callTransitions[name].to}`),
  );

  expect(moves).toEqual([
    "close: placed -> closed",
    "hide: placed -> soft_destroyed",
    "hide: closed -> soft_destroyed",
    "resolve: closed -> resolved",
  ]);
});
