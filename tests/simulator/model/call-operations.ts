import { expect } from "bun:test";
import fc from "fast-check";
import { outcomeOf } from "#src/dry-runs/simulate/play-show.ts";
import { spotOf } from "#src/dry-runs/simulate/show.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { type World } from "../world.ts";
import { placeInModel, cancelInModel } from "./calls.ts";
import type { Model } from "./model.ts";
import {
  mostlyLegal,
  type Operation,
  type WeightedOperation,
  type EventChoice,
  eventChoice,
  chooseEvent,
  hasEvent,
  playerIdOf,
} from "./operation.ts";
import { DONE } from "./replies.ts";

const PLAYERS = [0, 2, 3, 4];

const callInput = fc.record({
  player: fc.constantFrom(...PLAYERS),
  side: fc.constantFrom("true" as const, "false" as const),
  cents: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3_000 })),
  onTheHouse: fc.boolean(),
});
type CallInput = { player: number; side: "true" | "false"; cents: number; onTheHouse: boolean };

/** The operations of players. */
export const callOperations: readonly WeightedOperation[] = [
  { weight: 25, arbitrary: placeOperation() },
  { weight: 25, arbitrary: concurrentPlaceOperation() },
  { weight: 10, arbitrary: cancelOperation() },
];

function placeOperation(): fc.Arbitrary<Operation> {
  return fc.record({ call: callInput, choice: eventChoice }).map(({ call, choice }) => ({
    text: `player ${call.player} calls ${call.side} for ${call.cents}${call.onTheHouse ? ", on the house," : ""} on ${choice.text}`,
    isPossible: (model) => takesCalls(model, choice),
    inModel: (model) => {
      const event = chooseEvent(model, choice, ["open"]);
      return {
        reply: placeInModel(model, { ...call, event }),
        inProduct: (world) => placeInProduct(world, { ...call, event }),
      };
    },
  }));
}

/** Several players call at the same moment. The replies are those of calls one after the other. */
function concurrentPlaceOperation(): fc.Arbitrary<Operation> {
  const calls = fc.array(callInput, { minLength: 3, maxLength: 8, size: "max" });
  return fc.record({ calls, choice: eventChoice }).map(({ calls: inputs, choice }) => ({
    text: `on ${choice.text} at once: ${inputs.map(({ player, side, cents }) => `${player} ${side} ${cents}`).join(", ")}`,
    isPossible: (model) => takesCalls(model, choice),
    inModel: (model) => {
      const event = chooseEvent(model, choice, ["open"]);
      const before = model.calls.length;
      const replies = inputs.map((call) => placeInModel(model, { ...call, event }));
      const inProduct = async (world: World) => {
        await placeConcurrently(world, { inputs, event, replies });
        orderByCallId(model, world, before);
      };
      return { reply: DONE, inProduct };
    },
  }));
}

const takesCalls = (model: Model, choice: EventChoice) =>
  !choice.legal || (model.session === "running" && hasEvent(model, choice, ["open"]));

async function placeConcurrently(
  world: World,
  { inputs, event, replies }: { inputs: readonly CallInput[]; event: number; replies: readonly string[] },
): Promise<void> {
  const before = world.calls.length;
  const placed = inputs.map((call) => outcomeOf(placeInProduct(world, { ...call, event })));
  expect((await Promise.all(placed)).map(({ text }) => text)).toEqual([...replies]);
  expect(world.calls.length - before).toBe(replies.filter((reply) => reply === DONE).length);
}

/** Orders concurrent calls by their ids in the product, by which the left-over cents of a pool are given. */
function orderByCallId(model: Model, world: World, from: number): void {
  const pairs = world.calls
    .slice(from)
    .map((accepted, index) => ({ accepted, call: model.calls[from + index] }));
  pairs.sort((one, other) => one.accepted.callId - other.accepted.callId);
  world.calls.splice(from, pairs.length, ...pairs.map(({ accepted }) => accepted));
  model.calls.splice(from, pairs.length, ...pairs.flatMap(({ call }) => call ?? []));
}

async function placeInProduct(world: World, input: CallInput & { event: number }) {
  const { player, side, cents, event, onTheHouse } = input;
  const viewer = { id: playerIdOf(world, player) };
  const spotId = spotOf(world, world.eventIds[event] ?? 0, side);
  const key = crypto.randomUUID();
  const call = { viewer, spotId, wagerCents: cents, idempotencyKey: key, onTheHouse };
  const { callId } = await placeCall(world.deps, call);
  world.calls.push({ callId, userId: viewer.id, spotId, wagerCents: cents, key });
}

function cancelOperation(): fc.Arbitrary<Operation> {
  const input = fc.record({
    last: fc.nat(5),
    illegal: mostlyLegal.map((legal) => !legal),
    byAnother: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
  });
  return input.map(({ last, illegal, byAnother }) => ({
    text: `${byAnother ? "another player" : "its player"} cancels call -${last + 1}`,
    isPossible: ({ calls }) => calls.at(-1 - last)?.state === "placed" || (calls.length > last && illegal),
    inModel: (model) => {
      const call = model.calls.length - 1 - last;
      const owner = model.calls[call]?.player ?? 0;
      const player = byAnother ? (owner + 1) % model.wallets.length : owner;
      return {
        reply: cancelInModel(model, { call, player }),
        inProduct: (world) =>
          cancelCall(world.deps, {
            viewer: { id: playerIdOf(world, player) },
            callId: world.calls[call]?.callId ?? 0,
          }),
      };
    },
  }));
}
