import fc from "fast-check";
import { runUntil } from "#src/dry-runs/simulate/play-show.ts";
import type { Model } from "./model.ts";
import {
  type Operation,
  type WeightedOperation,
  type EventChoice,
  eventChoice,
  chooseEvent,
} from "./operation.ts";
import { passTime, nextBoundaryMs } from "./pass-time.ts";
import { DONE } from "./replies.ts";

const DAY_MS = 86_400_000;

/** Operations that let time pass. */
export const timeOperations: readonly WeightedOperation[] = [
  { weight: 6, arbitrary: waitOperation() },
  { weight: 10, arbitrary: waitUntilBoundaryOperation() },
  { weight: 3, arbitrary: skipTimersOperation() },
];

function waitOperation(): fc.Arbitrary<Operation> {
  const waitMs = fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 6_000 }) },
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 40_000 }) },
    { weight: 1, arbitrary: fc.constant(DAY_MS + 1) },
  );
  return waitMs.map((ms) => wait(`${ms} ms pass`, () => ms));
}

/** Waits until just before, at or just after an event's next transition. */
function waitUntilBoundaryOperation(): fc.Arbitrary<Operation> {
  const edge = fc.record({
    choice: eventChoice,
    byMs: fc.constantFrom(-5_001, -5_000, -4_999, -1, 0, 0, 1, 500),
  });
  return edge.map(({ choice, byMs }) =>
    wait(`wait until ${byMs} ms after the next transition of ${choice.text}`, (model) =>
      untilBoundaryMs(model, choice, byMs),
    ),
  );
}

function untilBoundaryMs(model: Model, choice: EventChoice, byMs: number): number {
  const event = model.events[chooseEvent(model, choice, ["open", "visible", "draft"])];
  return Math.max(0, nextBoundaryMs(model, event) + byMs);
}

function wait(text: string, howLong: (model: Model) => number): Operation {
  return {
    text,
    isPossible: () => true,
    inModel: (model) => {
      const ms = howLong(model);
      passTime(model, ms);
      return { reply: DONE, inProduct: (world) => runUntil(world, world.clock.nowMs() + ms) };
    },
  };
}

/** Time passes without timers: the next operation finds an event that should have closed. */
function skipTimersOperation(): fc.Arbitrary<Operation> {
  return fc
    .record({ choice: eventChoice, byMs: fc.integer({ min: 0, max: 3_000 }) })
    .map(({ choice, byMs }) => ({
      text: `no timer runs until ${byMs} ms after the next transition of ${choice.text}`,
      isPossible: () => true,
      inModel: (model) => {
        const ms = untilBoundaryMs(model, choice, byMs);
        model.nowMs += ms;
        return { reply: DONE, inProduct: ({ clock }) => clock.setMs(clock.nowMs() + ms) };
      },
    }));
}
