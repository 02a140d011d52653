import { type EventState, eventStates, startModes } from "#db/lists/events.ts";
import type { EventResult } from "#db/lists/events.ts";
import { outcomeOf } from "#src/dry-runs/simulate/play-show.ts";
import { nameOf, readSnapshots } from "#src/dry-runs/simulate/show.ts";
import { advanceEvent } from "#src/show/events/advance-event.ts";
import { hideEvent, showHiddenEvent } from "#src/show/events/change-event-state.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { eventActions, eventTransitions } from "#src/show/events/contract.ts";
import { delayEvent } from "#src/show/events/delay-event.ts";
import { destroyEvent } from "#src/show/events/destroy-event.ts";
import { withdrawResult } from "#src/show/events/note-result.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { publishEvent } from "#src/show/events/publish-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import type { UpdateEventBody } from "#src/show/events/schemas.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { chooseAction, type Action, pickAdmin } from "./action.ts";
import { record, pick, type World } from "./world.ts";

type EventCommand = { eventId: number; actor: { id: number } };
type EventAction = Action<EventState, (world: World, command: EventCommand) => Promise<unknown>>;

const results: readonly EventResult[] = ["true", "false", "true", "false", "void"];
const reasonOrNone = ({ dice }: World) => (dice.chance(0.8) ? { reason: "Because." } : {});
const transitions = eventTransitions;

const transitionActions: readonly EventAction[] = [
  {
    name: "publish",
    weight: 6,
    from: transitions.publish_event.from,
    run: ({ deps }, command) => publishEvent(deps, command),
  },
  {
    name: "open",
    weight: 10,
    from: transitions.open_event.from,
    run: ({ deps }, command) => openEvent(deps, command),
  },
  {
    name: "close",
    weight: 4,
    from: transitions.close_event.from,
    run: ({ deps }, command) => closeEvent(deps, command),
  },
  { name: "resolve", weight: 10, from: transitions.resolve.from, run: resolve },
  {
    name: "withdraw",
    weight: 4,
    from: transitions.withdraw.from,
    run: (world, command) => withdrawResult(world.deps, { ...command, ...reasonOrNone(world) }),
  },
  {
    name: "reset",
    weight: 2,
    from: transitions.reset.from,
    run: (world, command) => resetEvent(world.deps, { ...command, ...reasonOrNone(world) }),
  },
  {
    name: "hide",
    weight: 2,
    from: transitions.hide.from,
    run: ({ deps }, command) => hideEvent(deps, command),
  },
  {
    name: "show",
    weight: 4,
    from: transitions.show.from,
    run: ({ deps }, command) => showHiddenEvent(deps, command),
  },
  {
    name: "destroy",
    weight: 1,
    from: transitions.destroy.from,
    run: ({ deps }, command) => destroyEvent(deps, command),
  },
];

const scheduleActions: readonly EventAction[] = [
  {
    name: "advance",
    weight: 6,
    from: eventActions.advance.from,
    run: ({ deps }, command) => advanceEvent(deps, command),
  },
  {
    name: "skip",
    weight: 2,
    from: eventActions.skip.from,
    run: (world, command) => skipEvent(world.deps, { ...command, ...reasonOrNone(world) }),
  },
  {
    name: "delay",
    weight: 4,
    from: eventActions.delay.from,
    run: ({ deps, dice }, command) =>
      delayEvent(deps, { ...command, seconds: pick(dice, [30, 5, -1, -5, -20, 600]) }),
  },
  {
    name: "update",
    weight: 3,
    from: eventStates,
    run: (world, command) => updateEvent(world.deps, { ...command, changes: changesOf(world) }),
  },
];

/** An admin performs a random action on an event. */
export async function actOnEvent(world: World): Promise<void> {
  const snapshots = await readSnapshots(world);
  if (snapshots.length === 0) return;
  const { event } = pick(world.dice, snapshots);
  const { name, run } = chooseAction(world.dice, [...transitionActions, ...scheduleActions], event.state);
  const { label, actor } = pickAdmin(world);
  const outcome = await outcomeOf(run(world, { eventId: event.id, actor }));
  record(world, `${label}: ${name} ${nameOf(world, event.id)}: ${outcome.text}`);
}

/** An admin resolves an event, and changes the result at once, or just after the time for undoing is over. */
export async function resolveAndUndo(world: World): Promise<void> {
  const { dice, clock, deps } = world;
  const resolvable = (await readSnapshots(world)).filter(({ event }) =>
    transitions.resolve.from.some((state) => state === event.state),
  );
  if (resolvable.length === 0) return;
  const { event } = pick(dice, resolvable);
  const { label, actor } = pickAdmin(world);
  const command = { eventId: event.id, actor };
  const result = pick(dice, ["true", "false"] as const);
  const first = await outcomeOf(resolveEvent(deps, { ...command, result, reason: "Seen." }));
  record(world, `${label}: resolve ${nameOf(world, event.id)} to ${result}: ${first.text}`);
  await clock.setMs(clock.nowMs() + pick(dice, [0, 2_000, 9_999, 10_000, 10_001, 15_000]));
  const other = pick(dice, results);
  const second = await outcomeOf(resolveEvent(deps, { ...command, result: other }));
  record(world, `${label}: undo, now ${other}: ${second.text}`);
}

/** Now and then only calls before some moment count, or all calls again. */
function resolve(world: World, command: EventCommand): Promise<unknown> {
  const { deps, dice, clock } = world;
  const verdict = { ...command, ...reasonOrNone(world), result: pick(dice, results) };
  if (dice.chance(0.7)) return resolveEvent(deps, verdict);
  const effectiveAt = dice.chance(0.7) ? new Date(clock.nowMs() - dice.between(-500, 15_000)) : null;
  return resolveEvent(deps, { ...verdict, effectiveAt });
}

function changesOf({ dice, clock }: World): UpdateEventBody {
  return pick<UpdateEventBody>(dice, [
    { title: "Will it really happen?" },
    { trueLabel: "Yes" },
    { durationSeconds: dice.between(5, 40) },
    { resolveWithinSeconds: dice.between(0, 20) },
    { opensAt: new Date(clock.nowMs() + dice.between(-2_000, 20_000)) },
    { maxWager: 5 },
    { startMode: pick(dice, startModes), ...(dice.chance(0.5) && { offsetSeconds: dice.between(0, 8) }) },
    { version: 1, description: "Look closely." },
  ]);
}
