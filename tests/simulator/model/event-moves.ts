import fc from "fast-check";
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
import type { Deps } from "#src/deps.ts";
import type { World } from "../world.ts";
import type { Model, ModelEvent, State } from "./model.ts";
import type { Deed } from "./move.ts";
import { close, destroy, hide, open, publish, reset, resolve, show } from "./move-events.ts";
import { advance, delay, skip } from "./run-show.ts";

/** Which event is meant: one that fits, or any. */
export type EventChoice = { number: number; fitting: boolean; text: string };
export const eventChoice: fc.Arbitrary<EventChoice> = fc
  .record({ number: fc.nat(11), fitting: fc.integer({ min: 0, max: 3 }).map((die) => die > 0) })
  .map(({ number, fitting }) => ({
    number,
    fitting,
    text: fitting ? `fitting event ${number}` : `event ${number}`,
  }));

/** The place of the event that is meant, where it fits among those in one of these states. */
export function eventOf(model: Model, { number, fitting }: EventChoice, states: readonly State[]): number {
  const all = [...model.events.keys()];
  const fit = all.filter((place) => states.some((state) => state === model.events[place]?.state));
  const among = fitting && fit.length > 0 ? fit : all;
  return among[number % among.length] ?? 0;
}

/** Both admins' and the players' ids, by their places in the model. */
export const playerIdOf = ({ grantedCents }: World, player: number) => [...grantedCents.keys()][player] ?? 0;

type Order = { eventId: number; actor: { id: number } };
/** One verb of an event: its words, where it fits, and how the model and the product do it. */
type Verb<Wish> = {
  name: string;
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

export const eventMoves: fc.Arbitrary<Deed>[] = [
  ...twice(verb({ name: "publish", fits: ["draft"], wish: none, inModel: publish, inProduct: publishEvent })),
  ...twice(
    verb({
      name: "open",
      fits: ["visible"],
      wish: none,
      inModel: (model, event) => open(model, event, { planned: false }),
      inProduct: openEvent,
    }),
  ),
  verb({ name: "close", fits: ["open"], wish: none, inModel: close, inProduct: closeEvent }),
  ...twice(
    verb({
      name: "resolve",
      fits: ["open", "closed", "resolved"],
      wish: verdict,
      inModel: (model, event, { agoMs, ...wish }) =>
        resolve(model, event, { ...wish, effectiveMs: agoMs === null ? null : model.nowMs - agoMs }),
      inProduct: (deps, order, { agoMs, ...wish }, nowMs) =>
        resolveEvent(deps, {
          ...order,
          ...wish,
          effectiveAt: agoMs === null ? null : new Date(nowMs - agoMs),
        }),
    }),
  ),
  verb({
    name: "reset",
    fits: ["visible", "open", "closed", "resolved", "hidden"],
    wish: why,
    inModel: reset,
    inProduct: (deps, order, wish) => resetEvent(deps, { ...order, ...wish }),
  }),
  verb({ name: "hide", fits: ["visible", "resolved"], wish: none, inModel: hide, inProduct: hideEvent }),
  verb({ name: "show", fits: ["hidden"], wish: none, inModel: show, inProduct: showHiddenEvent }),
  verb({
    name: "destroy",
    fits: ["draft", "visible", "hidden"],
    wish: none,
    inModel: destroy,
    inProduct: destroyEvent,
  }),
  ...twice(
    verb({
      name: "advance",
      fits: ["draft", "visible", "open", "closed"],
      wish: none,
      inModel: advance,
      inProduct: advanceEvent,
    }),
  ),
  verb({
    name: "skip",
    fits: ["visible", "open", "closed"],
    wish: none,
    inModel: skip,
    inProduct: skipEvent,
  }),
  verb({
    name: "delay",
    fits: ["draft", "visible", "open", "closed"],
    wish: fc.record({ seconds: fc.constantFrom(30, 5, 1, -1, -5, -20, 600) }),
    inModel: delay,
    inProduct: (deps, order, wish) => delayEvent(deps, { ...order, ...wish }),
  }),
];

function verb<Wish>({ name, fits, wish, inModel, inProduct }: Verb<Wish>): fc.Arbitrary<Deed> {
  const whole = fc.record({ choice: eventChoice, asked: wish, actor: fc.constantFrom(0, 1, 1, 1) });
  return whole.map(({ choice, asked, actor }) => ({
    text: `admin ${actor} presses ${name} on ${choice.text} ${JSON.stringify(asked)}`,
    possible: () => true,
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
}

function twice<Item>(item: Item): [Item, Item] {
  return [item, item];
}
