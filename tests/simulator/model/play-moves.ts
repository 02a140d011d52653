import fc from "fast-check";
import { cancelCall } from "#src/calls/cancel-call.ts";
import { placeCall } from "#src/calls/place-call.ts";
import { spotOf, type World } from "../world.ts";
import { careful, type Deed, type Deeds, eventChoice, eventOf, isThere, playerIdOf } from "./move.ts";
import { place, takeBack } from "./play-calls.ts";

const PLAYERS = [0, 2, 3, 4];

/** What players do. */
export const playMoves: readonly Deeds[] = [
  { weight: 40, arbitrary: placing() },
  { weight: 10, arbitrary: takingBack() },
];

function placing(): fc.Arbitrary<Deed> {
  const wish = fc.record({
    player: fc.constantFrom(...PLAYERS),
    side: fc.constantFrom("true" as const, "false" as const),
    cents: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3_000 })),
    choice: eventChoice,
  });
  return wish.map(({ choice, ...call }) => ({
    text: `player ${call.player} calls ${call.side} for ${call.cents} on ${choice.text}`,
    possible: (model) => !choice.fitting || (model.session === "running" && isThere(model, choice, ["open"])),
    inModel: (model) => {
      const event = eventOf(model, choice, ["open"]);
      return {
        reply: place(model, { ...call, event }),
        inProduct: (world) => placeIn(world, { ...call, event }),
      };
    },
  }));
}

async function placeIn(
  world: World,
  call: { player: number; side: "true" | "false"; cents: number; event: number },
) {
  const viewer = { id: playerIdOf(world, call.player) };
  const { callId } = await placeCall(world.deps, {
    viewer,
    spotId: spotOf(world, world.eventIds[call.event] ?? 0, call.side),
    wagerCents: call.cents,
    idempotencyKey: crypto.randomUUID(),
  });
  world.calls.push({ callId, userId: viewer.id, spotId: 0, wagerCents: call.cents, key: "" });
}

function takingBack(): fc.Arbitrary<Deed> {
  const wish = fc.record({
    last: fc.nat(5),
    careless: careful.map((is) => !is),
    someoneElse: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
  });
  return wish.map(({ last, careless, someoneElse }) => ({
    text: `${someoneElse ? "somebody else" : "its player"} takes back call -${last + 1}`,
    possible: ({ calls }) => calls.at(-1 - last)?.state === "placed" || (calls.length > last && careless),
    inModel: (model) => {
      const call = model.calls.length - 1 - last;
      const owner = model.calls[call]?.player ?? 0;
      const player = someoneElse ? (owner + 1) % model.wallets.length : owner;
      return {
        reply: takeBack(model, { call, player }),
        inProduct: (world) =>
          cancelCall(world.deps, {
            viewer: { id: playerIdOf(world, player) },
            callId: world.calls[call]?.callId ?? 0,
          }),
      };
    },
  }));
}
