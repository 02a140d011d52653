import fc from "fast-check";
import type { Deps } from "#src/base/deps.ts";
import { advanceEvent } from "#src/show/events/advance-event.ts";
import { hideEvent, showHiddenEvent } from "#src/show/events/change-event-state.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { delayEvent } from "#src/show/events/delay-event.ts";
import { destroyEvent } from "#src/show/events/destroy-event.ts";
import { withdrawResult } from "#src/show/events/note-result.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { publishEvent } from "#src/show/events/publish-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { advance, delay, skip } from "./event-actions.ts";
import {
  closeByHost,
  destroy,
  hide,
  open,
  publish,
  reset,
  resolve,
  show,
  withdraw,
} from "./event-transitions.ts";
import type { Model, ModelEvent, State } from "./model.ts";
import {
  type Operation,
  type WeightedOperation,
  eventChoice,
  chooseEvent,
  hasEvent,
  playerIdOf,
} from "./operation.ts";

type EventCommand = { eventId: number; actor: { id: number } };
/** A verb of events: its input, the states that allow it, and how the model and the product run it. */
type EventVerb<Input> = {
  name: string;
  weight: number;
  legalFrom: readonly State[];
  input: fc.Arbitrary<Input>;
  inModel: (model: Model, event: ModelEvent, input: Input & { actor: number }) => string;
  inProduct: (deps: Deps, command: EventCommand, input: Input, nowMs: number) => Promise<unknown>;
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
  /** `effectiveAt`, in milliseconds before now; negative is in the future. Undefined: left out. */
  agoMs: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.integer({ min: -1, max: 12_000 }) },
  ),
});

/** The moment so long before now; null and undefined stay. */
function ago<Nothing extends null | undefined>(nowMs: number, agoMs: number | Nothing): number | Nothing {
  return typeof agoMs === "number" ? nowMs - agoMs : agoMs;
}

/** The operations of admins on events. */
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
    inModel: closeByHost,
    inProduct: closeEvent,
  }),
  operationOf({
    name: "resolve",
    weight: 8,
    legalFrom: ["open", "closed", "resolved"],
    input: verdict,
    inModel: (model, event, { agoMs, ...input }) =>
      resolve(model, event, { ...input, effectiveMs: ago(model.nowMs, agoMs) }),
    inProduct: (deps, command, { agoMs, ...input }, nowMs) => {
      const effectiveMs = ago(nowMs, agoMs);
      const effectiveAt = typeof effectiveMs === "number" ? new Date(effectiveMs) : effectiveMs;
      const verdict = { ...command, ...input };
      return resolveEvent(deps, effectiveAt === undefined ? verdict : { ...verdict, effectiveAt });
    },
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
    inProduct: (deps, command, input) => resetEvent(deps, { ...command, ...input }),
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
    inProduct: (deps, command, input) => delayEvent(deps, { ...command, ...input }),
  }),
];

function operationOf<Input>({
  name,
  weight,
  legalFrom,
  input,
  inModel,
  inProduct,
}: EventVerb<Input>): WeightedOperation {
  const command = fc.record({ choice: eventChoice, values: input, actor: fc.constantFrom(0, 1, 1, 1) });
  const arbitrary: fc.Arbitrary<Operation> = command.map(({ choice, values, actor }) => ({
    text: `admin ${actor}: ${name} ${choice.text} ${JSON.stringify(values)}`,
    isPossible: (model) => hasEvent(model, choice, legalFrom),
    inModel: (model) => {
      const index = chooseEvent(model, choice, legalFrom);
      const event = model.events[index];
      if (event === undefined) throw new Error("a world has events");
      return {
        reply: inModel(model, event, { ...values, actor }),
        inProduct: (world) => {
          const target = { eventId: world.eventIds[index] ?? 0, actor: { id: playerIdOf(world, actor) } };
          return inProduct(world.deps, target, values, world.clock.nowMs());
        },
      };
    },
  }));
  return { weight, arbitrary };
}
