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
import { chooseAction, type Action, pickAdmin } from "./action.ts";
import { nameOf, record, pick, readSnapshots, type World } from "./world.ts";

type EventCommand = { eventId: number; actor: { id: number } };
type EventAction = Action<EventState, (world: World, order: EventCommand) => Promise<unknown>>;

const results: readonly EventResult[] = ["true", "false", "true", "false", "void"];
const reasonOrNone = ({ dice }: World) => (dice.chance(0.8) ? { reason: "Because." } : {});
const transitions = eventTransitions;

const transitionActions: readonly EventAction[] = [
  {
    name: "publish",
    weight: 6,
    from: transitions.publish_event.from,
    run: ({ deps }, order) => publishEvent(deps, order),
  },
  {
    name: "open",
    weight: 10,
    from: transitions.open_event.from,
    run: ({ deps }, order) => openEvent(deps, order),
  },
  {
    name: "close",
    weight: 4,
    from: transitions.close_event.from,
    run: ({ deps }, order) => closeEvent(deps, order),
  },
  { name: "resolve", weight: 10, from: transitions.resolve.from, run: resolve },
  {
    name: "withdraw",
    weight: 4,
    from: transitions.withdraw.from,
    run: (world, order) => withdrawResult(world.deps, { ...order, ...reasonOrNone(world) }),
  },
  {
    name: "reset",
    weight: 2,
    from: transitions.reset.from,
    run: (world, order) => resetEvent(world.deps, { ...order, ...reasonOrNone(world) }),
  },
  {
    name: "hide",
    weight: 2,
    from: transitions.hide.from,
    run: ({ deps }, order) => hideEvent(deps, order),
  },
  {
    name: "show",
    weight: 4,
    from: transitions.show.from,
    run: ({ deps }, order) => showHiddenEvent(deps, order),
  },
  {
    name: "destroy",
    weight: 1,
    from: transitions.destroy.from,
    run: ({ deps }, order) => destroyEvent(deps, order),
  },
];

const scheduleActions: readonly EventAction[] = [
  {
    name: "advance",
    weight: 6,
    from: eventActions.advance.from,
    run: ({ deps }, order) => advanceEvent(deps, order),
  },
  {
    name: "skip",
    weight: 2,
    from: eventActions.skip.from,
    run: (world, order) => skipEvent(world.deps, { ...order, ...reasonOrNone(world) }),
  },
  {
    name: "delay",
    weight: 4,
    from: eventActions.delay.from,
    run: ({ deps, dice }, order) =>
      delayEvent(deps, { ...order, seconds: pick(dice, [30, 5, -1, -5, -20, 600]) }),
  },
  {
    name: "update",
    weight: 3,
    from: eventStates,
    run: (world, order) => updateEvent(world.deps, { ...order, changes: changesOf(world) }),
  },
];

/** An admin presses something on an event. */
export async function actOnEvent(world: World): Promise<void> {
  const stands = await readSnapshots(world);
  if (stands.length === 0) return;
  const { event } = pick(world.dice, stands);
  const { name, run: press } = chooseAction(
    world.dice,
    [...transitionActions, ...scheduleActions],
    event.state,
  );
  const { who, actor } = pickAdmin(world);
  const outcome = await outcomeOf(press(world, { eventId: event.id, actor }));
  record(world, `${who} presses ${name} on ${nameOf(world, event.id)}: ${outcome.text}`);
}

/** An admin resolves what can be resolved, and sees at once, or a little too late, that it was the wrong result. */
export async function resolveAndUndo(world: World): Promise<void> {
  const { dice, clock, deps } = world;
  const played = (await readSnapshots(world)).filter(({ event }) =>
    transitions.resolve.from.some((state) => state === event.state),
  );
  if (played.length === 0) return;
  const { event } = pick(dice, played);
  const { who, actor } = pickAdmin(world);
  const order = { eventId: event.id, actor };
  const result = pick(dice, ["true", "false"] as const);
  const first = await outcomeOf(resolveEvent(deps, { ...order, result, reason: "Seen." }));
  record(world, `${who} resolves ${nameOf(world, event.id)} to ${result}: ${first.text}`);
  await clock.setMs(clock.nowMs() + pick(dice, [0, 2_000, 9_999, 10_000, 10_001, 15_000]));
  const other = pick(dice, results);
  const second = await outcomeOf(resolveEvent(deps, { ...order, result: other }));
  record(world, `${who} undoes it, now ${other}: ${second.text}`);
}

/** Once in a while only what was called before some moment counts. */
function resolve(world: World, order: EventCommand): Promise<unknown> {
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
