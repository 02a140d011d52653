import fc from "fast-check";
import { runUntil } from "../timeline.ts";
import type { Model } from "./model.ts";
import { type Deed, type Deeds, type EventChoice, eventChoice, eventOf } from "./move.ts";
import { passTime, untilEdgeMs } from "./pass-time.ts";
import { DONE } from "./replies.ts";

const DAY_MS = 86_400_000;

/** What the clock does. */
export const timeMoves: readonly Deeds[] = [
  { weight: 6, arbitrary: waiting() },
  { weight: 10, arbitrary: goingToAnEdge() },
  { weight: 3, arbitrary: comingLate() },
];

function waiting(): fc.Arbitrary<Deed> {
  const waitMs = fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 6_000 }) },
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 40_000 }) },
    { weight: 1, arbitrary: fc.constant(DAY_MS + 1) },
  );
  return waitMs.map((ms) => wait(`${ms} ms pass`, () => ms));
}

/** To just before, at or just after what comes next for an event. */
function goingToAnEdge(): fc.Arbitrary<Deed> {
  const edge = fc.record({
    choice: eventChoice,
    byMs: fc.constantFrom(-5_001, -5_000, -4_999, -1, 0, 0, 1, 500),
  });
  return edge.map(({ choice, byMs }) =>
    wait(`to ${byMs} ms after what is next on ${choice.text}`, (model) => toEdgeMs(model, choice, byMs)),
  );
}

function toEdgeMs(model: Model, choice: EventChoice, byMs: number): number {
  const event = model.events[eventOf(model, choice, ["open", "visible", "draft"])];
  return Math.max(0, untilEdgeMs(model, event) + byMs);
}

function wait(text: string, howLong: (model: Model) => number): Deed {
  return {
    text,
    possible: () => true,
    inModel: (model) => {
      const ms = howLong(model);
      passTime(model, ms);
      return { reply: DONE, inProduct: (world) => runUntil(world, world.clock.nowMs() + ms) };
    },
  };
}

/** Time goes by and nothing rings: whoever comes now finds an event that should have closed. */
function comingLate(): fc.Arbitrary<Deed> {
  return fc
    .record({ choice: eventChoice, byMs: fc.integer({ min: 0, max: 3_000 }) })
    .map(({ choice, byMs }) => ({
      text: `the timers sleep until ${byMs} ms after what is next on ${choice.text}`,
      possible: () => true,
      inModel: (model) => {
        const ms = toEdgeMs(model, choice, byMs);
        model.nowMs += ms;
        return { reply: DONE, inProduct: ({ clock }) => clock.setMs(clock.nowMs() + ms) };
      },
    }));
}
