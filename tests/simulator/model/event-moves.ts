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
import { type Deed, type Deeds, eventChoice, eventOf, isThere, playerIdOf } from "./move.ts";
import { advance, delay, skip } from "./run-show.ts";

type Order = { eventId: number; actor: { id: number } };
/** One verb of an event: its words, where it fits, and how the model and the product do it. */
type Verb<Wish> = {
  name: string;
  weight: number;
  fits: readonly State[];
  wish: fc.Arbitrary<Wish>;
  inModel: (model: Model, event: ModelEvent, wish: Wish & { actor: number }) => string;
  inProduct: (deps: Deps, order: Order, wish: Wish, nowMs: number) => Promise<unknown>;
};

const none = fc.constant({});
const why = fc.record({ reason: fc.constantFrom("Because.", "Because.", "Because.", null) });
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
export const eventMoves: readonly Deeds[] = [
  verb({
    name: "publish",
    weight: 3,
    fits: ["draft"],
    wish: none,
    inModel: publish,
    inProduct: publishEvent,
  }),
  verb({
    name: "open",
    weight: 8,
    fits: ["visible"],
    wish: none,
    inModel: (model, event) => open(model, event, { planned: false }),
    inProduct: openEvent,
  }),
  verb({ name: "close", weight: 2, fits: ["open"], wish: none, inModel: close, inProduct: closeEvent }),
  verb({
    name: "resolve",
    weight: 8,
    fits: ["open", "closed", "resolved"],
    wish: verdict,
    inModel: (model, event, { agoMs, ...wish }) =>
      resolve(model, event, { ...wish, effectiveMs: agoMs === null ? null : model.nowMs - agoMs }),
    inProduct: (deps, order, { agoMs, ...wish }, nowMs) =>
      resolveEvent(deps, { ...order, ...wish, effectiveAt: agoMs === null ? null : new Date(nowMs - agoMs) }),
  }),
  verb({
    name: "withdraw",
    weight: 3,
    fits: ["closed"],
    wish: none,
    inModel: withdraw,
    inProduct: withdrawResult,
  }),
  verb({
    name: "reset",
    weight: 2,
    fits: ["visible", "open", "closed", "resolved", "hidden"],
    wish: why,
    inModel: reset,
    inProduct: (deps, order, wish) => resetEvent(deps, { ...order, ...wish }),
  }),
  verb({
    name: "hide",
    weight: 2,
    fits: ["visible", "resolved"],
    wish: none,
    inModel: hide,
    inProduct: hideEvent,
  }),
  verb({ name: "show", weight: 4, fits: ["hidden"], wish: none, inModel: show, inProduct: showHiddenEvent }),
  verb({
    name: "destroy",
    weight: 1,
    fits: ["visible", "hidden"],
    wish: none,
    inModel: destroy,
    inProduct: destroyEvent,
  }),
  verb({
    name: "advance",
    weight: 6,
    fits: ["draft", "visible", "open", "closed"],
    wish: none,
    inModel: advance,
    inProduct: advanceEvent,
  }),
  verb({
    name: "skip",
    weight: 2,
    fits: ["visible", "open", "closed"],
    wish: none,
    inModel: skip,
    inProduct: skipEvent,
  }),
  verb({
    name: "delay",
    weight: 4,
    fits: ["draft", "visible", "open", "closed"],
    wish: fc.record({ seconds: fc.constantFrom(30, 5, 1, -1, -5, -20, 600) }),
    inModel: delay,
    inProduct: (deps, order, wish) => delayEvent(deps, { ...order, ...wish }),
  }),
];

function verb<Wish>({ name, weight, fits, wish, inModel, inProduct }: Verb<Wish>): Deeds {
  const whole = fc.record({ choice: eventChoice, asked: wish, actor: fc.constantFrom(0, 1, 1, 1) });
  const arbitrary: fc.Arbitrary<Deed> = whole.map(({ choice, asked, actor }) => ({
    text: `admin ${actor} presses ${name} on ${choice.text} ${JSON.stringify(asked)}`,
    possible: (model) => isThere(model, choice, fits),
    inModel: (model) => {
      const place = eventOf(model, choice, fits);
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
