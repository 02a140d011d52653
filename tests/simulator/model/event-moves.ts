import fc from "fast-check";
import type { Deps } from "#src/base/deps.ts";
import { advanceEvent } from "#src/events/advance-event.ts";
import { closeEvent } from "#src/events/close-event.ts";
import { delayEvent } from "#src/events/delay-event.ts";
import { destroyEvent } from "#src/events/destroy-event.ts";
import { hideEvent } from "#src/events/hide-event.ts";
import { openEvent } from "#src/events/open-event.ts";
import { publishEvent } from "#src/events/publish-event.ts";
import { resetEvent } from "#src/events/reset-event.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import { showHiddenEvent } from "#src/events/show-hidden-event.ts";
import { skipEvent } from "#src/events/skip-event.ts";
import { withdrawResult } from "#src/events/withdraw-result.ts";
import type { Model, ModelEvent, State } from "./model.ts";
import { close, destroy, hide, open, publish, reset, resolve, show, withdraw } from "./move-events.ts";
import {
  type Operation,
  type WeightedOperation,
  eventChoice,
  chooseEvent,
  hasEvent,
  playerIdOf,
} from "./move.ts";
import { advance, delay, skip } from "./run-show.ts";

type EventCommand = { eventId: number; actor: { id: number } };
/** One verb of an event: its words, where it fits, and how the model and the product do it. */
type EventVerb<Input> = {
  name: string;
  weight: number;
  legalFrom: readonly State[];
  input: fc.Arbitrary<Input>;
  inModel: (model: Model, event: ModelEvent, wish: Input & { actor: number }) => string;
  inProduct: (deps: Deps, order: EventCommand, wish: Input, nowMs: number) => Promise<unknown>;
};

const noInput = fc.constant({});
const optionalReason = fc.record({ reason: fc.constantFrom("Because.", "Because.", "Because.", null) });
const verdict = fc.record({
  result: fc.constantFrom(
    "true" as const,
    "false" as const,
    "true" as const,
    "false" as const,
    "void" as const,
  ),
  reason: fc.constantFrom("Because.", "Because.", null),
  /** Before now; below 0 is after it. */
  agoMs: fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: -1, max: 12_000 }) },
  ),
});

/** What admins do to events. */
export const eventOperations: readonly WeightedOperation[] = [
  operationOf({
    name: "publish",
    weight: 3,
    legalFrom: ["draft"],
    input: noInput,
    inModel: publish,
    inProduct: publishEvent,
  }),
  operationOf({
    name: "open",
    weight: 8,
    legalFrom: ["visible"],
    input: noInput,
    inModel: (model, event) => open(model, event, { planned: false }),
    inProduct: openEvent,
  }),
  operationOf({
    name: "close",
    weight: 2,
    legalFrom: ["open"],
    input: noInput,
    inModel: close,
    inProduct: closeEvent,
  }),
  operationOf({
    name: "resolve",
    weight: 8,
    legalFrom: ["open", "closed", "resolved"],
    input: verdict,
    inModel: (model, event, { agoMs, ...wish }) =>
      resolve(model, event, { ...wish, effectiveMs: agoMs === null ? null : model.nowMs - agoMs }),
    inProduct: (deps, order, { agoMs, ...wish }, nowMs) =>
      resolveEvent(deps, { ...order, ...wish, effectiveAt: agoMs === null ? null : new Date(nowMs - agoMs) }),
  }),
  operationOf({
    name: "withdraw",
    weight: 3,
    legalFrom: ["closed"],
    input: noInput,
    inModel: withdraw,
    inProduct: withdrawResult,
  }),
  operationOf({
    name: "reset",
    weight: 2,
    legalFrom: ["visible", "open", "closed", "resolved", "hidden"],
    input: optionalReason,
    inModel: reset,
    inProduct: (deps, order, wish) => resetEvent(deps, { ...order, ...wish }),
  }),
  operationOf({
    name: "hide",
    weight: 2,
    legalFrom: ["visible", "resolved"],
    input: noInput,
    inModel: hide,
    inProduct: hideEvent,
  }),
  operationOf({
    name: "show",
    weight: 4,
    legalFrom: ["hidden"],
    input: noInput,
    inModel: show,
    inProduct: showHiddenEvent,
  }),
  operationOf({
    name: "destroy",
    weight: 1,
    legalFrom: ["visible", "hidden"],
    input: noInput,
    inModel: destroy,
    inProduct: destroyEvent,
  }),
  operationOf({
    name: "advance",
    weight: 6,
    legalFrom: ["draft", "visible", "open", "closed"],
    input: noInput,
    inModel: advance,
    inProduct: advanceEvent,
  }),
  operationOf({
    name: "skip",
    weight: 2,
    legalFrom: ["visible", "open", "closed"],
    input: noInput,
    inModel: skip,
    inProduct: skipEvent,
  }),
  operationOf({
    name: "delay",
    weight: 4,
    legalFrom: ["draft", "visible", "open", "closed"],
    input: fc.record({ seconds: fc.constantFrom(30, 5, 1, -1, -5, -20, 600) }),
    inModel: delay,
    inProduct: (deps, order, wish) => delayEvent(deps, { ...order, ...wish }),
  }),
];

function operationOf<Wish>({
  name,
  weight,
  legalFrom: fits,
  input: wish,
  inModel,
  inProduct,
}: EventVerb<Wish>): WeightedOperation {
  const whole = fc.record({ choice: eventChoice, asked: wish, actor: fc.constantFrom(0, 1, 1, 1) });
  const arbitrary: fc.Arbitrary<Operation> = whole.map(({ choice, asked, actor }) => ({
    text: `admin ${actor} presses ${name} on ${choice.text} ${JSON.stringify(asked)}`,
    possible: (model) => hasEvent(model, choice, fits),
    inModel: (model) => {
      const place = chooseEvent(model, choice, fits);
      const event = model.events[place];
      if (event === undefined) throw new Error("a world has events");
      return {
        reply: inModel(model, event, { ...asked, actor }),
        inProduct: (world) => {
          const order = { eventId: world.eventIds[place] ?? 0, actor: { id: playerIdOf(world, actor) } };
          return inProduct(world.deps, order, asked, world.clock.nowMs());
        },
      };
    },
  }));
  return { weight, arbitrary };
}
