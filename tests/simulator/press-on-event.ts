import { advanceEvent } from "#src/events/advance-event.ts";
import { closeEvent } from "#src/events/close-event.ts";
import { eventActions, type EventState, eventStates, eventTransitions } from "#src/events/contract.ts";
import { delayEvent } from "#src/events/delay-event.ts";
import { destroyEvent } from "#src/events/destroy-event.ts";
import { hideEvent } from "#src/events/hide-event.ts";
import { openEvent } from "#src/events/open-event.ts";
import { publishEvent } from "#src/events/publish-event.ts";
import { resetEvent } from "#src/events/reset-event.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import type { UpdateEventBody } from "#src/events/schemas.ts";
import { showHiddenEvent } from "#src/events/show-hidden-event.ts";
import { skipEvent } from "#src/events/skip-event.ts";
import { updateEvent } from "#src/events/update-event.ts";
import { withdrawResult } from "#src/events/withdraw-result.ts";
import type { EventResult } from "#src/settlements/contract.ts";
import { outcomeOf } from "./outcome.ts";
import { choosePress, type Press, pickAdmin } from "./press.ts";
import { nameOf, note, pick, readStands, type World } from "./world.ts";

type Order = { eventId: number; actor: { id: number } };
type PressOnEvent = Press<EventState, (world: World, order: Order) => Promise<unknown>>;

const results: readonly EventResult[] = ["true", "false", "true", "false", "void"];
const reasonOrNone = ({ dice }: World) => (dice.chance(0.8) ? { reason: "Because." } : {});
const transitions = eventTransitions;

const transitionPresses: readonly PressOnEvent[] = [
  {
    name: "publish",
    weight: 6,
    from: transitions.publish_event.from,
    press: ({ deps }, order) => publishEvent(deps, order),
  },
  {
    name: "open",
    weight: 10,
    from: transitions.open_event.from,
    press: ({ deps }, order) => openEvent(deps, order),
  },
  {
    name: "close",
    weight: 4,
    from: transitions.close_event.from,
    press: ({ deps }, order) => closeEvent(deps, order),
  },
  { name: "resolve", weight: 10, from: transitions.resolve.from, press: resolve },
  {
    name: "withdraw",
    weight: 4,
    from: transitions.withdraw.from,
    press: (world, order) => withdrawResult(world.deps, { ...order, ...reasonOrNone(world) }),
  },
  {
    name: "reset",
    weight: 2,
    from: transitions.reset.from,
    press: (world, order) => resetEvent(world.deps, { ...order, ...reasonOrNone(world) }),
  },
  {
    name: "hide",
    weight: 2,
    from: transitions.hide.from,
    press: ({ deps }, order) => hideEvent(deps, order),
  },
  {
    name: "show",
    weight: 4,
    from: transitions.show.from,
    press: ({ deps }, order) => showHiddenEvent(deps, order),
  },
  {
    name: "destroy",
    weight: 1,
    from: transitions.destroy.from,
    press: ({ deps }, order) => destroyEvent(deps, order),
  },
];

const showPresses: readonly PressOnEvent[] = [
  {
    name: "advance",
    weight: 6,
    from: eventActions.advance.from,
    press: ({ deps }, order) => advanceEvent(deps, order),
  },
  {
    name: "skip",
    weight: 2,
    from: eventActions.skip.from,
    press: (world, order) => skipEvent(world.deps, { ...order, ...reasonOrNone(world) }),
  },
  {
    name: "delay",
    weight: 4,
    from: eventActions.delay.from,
    press: ({ deps, dice }, order) =>
      delayEvent(deps, { ...order, seconds: pick(dice, [30, 5, -1, -5, -20, 600]) }),
  },
  {
    name: "update",
    weight: 3,
    from: eventStates,
    press: (world, order) => updateEvent(world.deps, { ...order, changes: changesOf(world) }),
  },
];

/** An admin presses something on an event. */
export async function pressOnEvent(world: World): Promise<void> {
  const stands = await readStands(world);
  if (stands.length === 0) return;
  const { event } = pick(world.dice, stands);
  const { name, press } = choosePress(world.dice, [...transitionPresses, ...showPresses], event.state);
  const { who, actor } = pickAdmin(world);
  const outcome = await outcomeOf(press(world, { eventId: event.id, actor }));
  note(world, `${who} presses ${name} on ${nameOf(world, event.id)}: ${outcome.text}`);
}

/** An admin resolves what can be resolved, and sees at once, or a little too late, that it was the wrong result. */
export async function resolveAndUndo(world: World): Promise<void> {
  const { dice, clock, deps } = world;
  const played = (await readStands(world)).filter(({ event }) =>
    transitions.resolve.from.some((state) => state === event.state),
  );
  if (played.length === 0) return;
  const { event } = pick(dice, played);
  const { who, actor } = pickAdmin(world);
  const order = { eventId: event.id, actor };
  const result = pick(dice, ["true", "false"] as const);
  const first = await outcomeOf(resolveEvent(deps, { ...order, result, reason: "Seen." }));
  note(world, `${who} resolves ${nameOf(world, event.id)} to ${result}: ${first.text}`);
  await clock.setMs(clock.nowMs() + pick(dice, [0, 2_000, 9_999, 10_000, 10_001, 15_000]));
  const other = pick(dice, results);
  const second = await outcomeOf(resolveEvent(deps, { ...order, result: other }));
  note(world, `${who} undoes it, now ${other}: ${second.text}`);
}

/** Once in a while only what was called before some moment counts. */
function resolve(world: World, order: Order): Promise<unknown> {
  const { deps, dice, clock } = world;
  const effectiveAt = dice.chance(0.2) ? new Date(clock.nowMs() - dice.between(-500, 15_000)) : null;
  return resolveEvent(deps, { ...order, ...reasonOrNone(world), effectiveAt, result: pick(dice, results) });
}

function changesOf({ dice, clock }: World): UpdateEventBody {
  return pick<UpdateEventBody>(dice, [
    { title: "Will it really happen?" },
    { trueLabel: "Yes" },
    { durationSeconds: dice.between(5, 40) },
    { resolveWithinSeconds: dice.between(0, 20) },
    { opensAt: new Date(clock.nowMs() + dice.between(-2_000, 20_000)) },
    { maxWager: 5 },
    { version: 1, description: "Look closely." },
  ]);
}
