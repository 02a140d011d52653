import { expect } from "bun:test";
import fc from "fast-check";
import { cancelCall } from "#src/calls/cancel-call.ts";
import { placeCall } from "#src/calls/place-call.ts";
import { outcomeOf } from "../outcome.ts";
import { spotOf, type World } from "../world.ts";
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
import { placeInModel, cancelInModel } from "./calls.ts";
import { DONE } from "./replies.ts";

const PLAYERS = [0, 2, 3, 4];

const callInput = fc.record({
  player: fc.constantFrom(...PLAYERS),
  side: fc.constantFrom("true" as const, "false" as const),
  cents: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3_000 })),
});
type CallInput = { player: number; side: "true" | "false"; cents: number };

/** What players do. */
export const callOperations: readonly WeightedOperation[] = [
  { weight: 25, arbitrary: placeOperation() },
  { weight: 25, arbitrary: concurrentPlaceOperation() },
  { weight: 10, arbitrary: cancelOperation() },
];

function placeOperation(): fc.Arbitrary<Operation> {
  return fc.record({ call: callInput, choice: eventChoice }).map(({ call, choice }) => ({
    text: `player ${call.player} calls ${call.side} for ${call.cents} on ${choice.text}`,
    possible: (model) => takesCalls(model, choice),
    inModel: (model) => {
      const event = chooseEvent(model, choice, ["open"]);
      return {
        reply: placeCall(model, { ...call, event }),
        inProduct: (world) => placeInProduct(world, { ...call, event }),
      };
    },
  }));
}

/** Several call in the same moment: each is answered as if they had come one after the other. */
function concurrentPlaceOperation(): fc.Arbitrary<Operation> {
  const calls = fc.array(callInput, { minLength: 3, maxLength: 8, size: "max" });
  return fc.record({ calls, choice: eventChoice }).map(({ calls: wishes, choice }) => ({
    text: `on ${choice.text} call ${wishes.map(({ player, side, cents }) => `${player} ${side} ${cents}`).join(", ")}`,
    possible: (model) => takesCalls(model, choice),
    inModel: (model) => {
      const event = chooseEvent(model, choice, ["open"]);
      const before = model.calls.length;
      const replies = wishes.map((call) => placeCall(model, { ...call, event }));
      const inProduct = async (world: World) => {
        await placeConcurrently(world, { wishes, event, replies });
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
  { wishes, event, replies }: { wishes: readonly CallInput[]; event: number; replies: readonly string[] },
): Promise<void> {
  const before = world.calls.length;
  const placed = wishes.map((call) => outcomeOf(placeInProduct(world, { ...call, event })));
  expect((await Promise.all(placed)).map(({ text }) => text)).toEqual([...replies]);
  expect(world.calls.length - before).toBe(replies.filter((reply) => reply === DONE).length);
}

/** Calls of one moment have no order among them but that of their numbers, by which the last cents of a pool are given. */
function orderByCallId(model: Model, world: World, from: number): void {
  const pairs = world.calls.slice(from).map((taken, index) => ({ taken, call: model.calls[from + index] }));
  pairs.sort((one, other) => one.taken.callId - other.taken.callId);
  world.calls.splice(from, pairs.length, ...pairs.map(({ taken }) => taken));
  model.calls.splice(from, pairs.length, ...pairs.flatMap(({ call }) => call ?? []));
}

async function placeInProduct(world: World, { player, side, cents, event }: CallInput & { event: number }) {
  const viewer = { id: playerIdOf(world, player) };
  const spotId = spotOf(world, world.eventIds[event] ?? 0, side);
  const key = crypto.randomUUID();
  const { callId } = await placeCall(world.deps, { viewer, spotId, wagerCents: cents, idempotencyKey: key });
  world.calls.push({ callId, userId: viewer.id, spotId, wagerCents: cents, key });
}

function cancelOperation(): fc.Arbitrary<Operation> {
  const wish = fc.record({
    last: fc.nat(5),
    careless: mostlyLegal.map((is) => !is),
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
        reply: cancelCall(model, { call, player }),
        inProduct: (world) =>
          cancelCall(world.deps, {
            viewer: { id: playerIdOf(world, player) },
            callId: world.calls[call]?.callId ?? 0,
          }),
      };
    },
  }));
}
