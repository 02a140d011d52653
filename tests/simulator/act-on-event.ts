import { type EventResult, type EventState, eventStates, startModes } from "#db/lists/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { nameOf, readSnapshots } from "#src/dry-runs/simulate/show.ts";
import { advanceEvent, delayEvent } from "#src/show/events/advance-event.ts";
import { destroyEvent, hideEvent, showHiddenEvent } from "#src/show/events/change-event-state.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { eventActions, eventTransitions as transitions } from "#src/show/events/contract.ts";
import { openEvent, publishEvent } from "#src/show/events/open-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { resolveEvent, withdrawResult } from "#src/show/events/resolve-event.ts";
import type { UpdateEventBody } from "#src/show/events/schemas.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { type Action, chooseAction, type Deed, perform, pickAdmin } from "./act.ts";
import * as rules from "./model/event-rules.ts";
import type { Model, ModelEvent } from "./model/model.ts";
import { pick } from "./plan-world.ts";
import { tick, type World } from "./world.ts";

type EventCommand = { eventId: number; actor: { id: number } };
type Rule = (model: Model, event: ModelEvent, by: { actor: number }) => string;
type OnEvent = { inProduct: (deps: Deps, command: EventCommand) => Promise<unknown>; rule?: Rule };
type EventAction = Action<EventState, (world: World) => OnEvent>;

const results: readonly EventResult[] = ["true", "false", "true", "false", "void"];
const reasonOrNone = ({ dice }: World) => (dice.chance(0.8) ? { reason: "Because." } : {});

/** An action without any input. */
function plain(
  name: string,
  weight: number,
  { from }: { from: readonly EventState[] },
  onEvent: OnEvent,
): EventAction {
  return { name, weight, from, make: () => onEvent };
}

const actions: readonly EventAction[] = [
  plain("publish", 6, transitions.publish_event, { inProduct: publishEvent, rule: rules.publish }),
  plain("open", 10, transitions.open_event, {
    inProduct: openEvent,
    rule: (model, event) => rules.open(model, event, { planned: false }),
  }),
  plain("close", 4, transitions.close_event, { inProduct: closeEvent, rule: rules.closeByHost }),
  { name: "resolve", weight: 10, from: transitions.resolve.from, make: resolve },
  {
    name: "withdraw",
    weight: 4,
    from: transitions.withdraw.from,
    make: (world) => {
      const reason = reasonOrNone(world);
      return {
        inProduct: (deps, command) => withdrawResult(deps, { ...command, ...reason }),
        rule: rules.withdraw,
      };
    },
  },
  {
    name: "reset",
    weight: 2,
    from: transitions.reset.from,
    make: (world) => {
      const reason = reasonOrNone(world);
      return {
        inProduct: (deps, command) => resetEvent(deps, { ...command, ...reason }),
        rule: (model, event, by) => rules.reset(model, event, { ...by, reason: reason.reason ?? null }),
      };
    },
  },
  plain("hide", 2, transitions.hide, { inProduct: hideEvent, rule: rules.hide }),
  plain("show", 4, transitions.show, { inProduct: showHiddenEvent, rule: rules.show }),
  plain("destroy", 1, transitions.destroy, { inProduct: destroyEvent, rule: rules.destroy }),
  plain("advance", 6, eventActions.advance, { inProduct: advanceEvent, rule: rules.advance }),
  {
    name: "skip",
    weight: 2,
    from: eventActions.skip.from,
    make: (world) => {
      const reason = reasonOrNone(world);
      return {
        inProduct: (deps, command) => skipEvent(deps, { ...command, ...reason }),
        rule: rules.skip,
      };
    },
  },
  {
    name: "delay",
    weight: 4,
    from: eventActions.delay.from,
    make: ({ dice }) => {
      const seconds = pick(dice, [30, 5, 1, -1, -5, -20, 600]);
      return {
        inProduct: (deps, command) => delayEvent(deps, { ...command, seconds }),
        rule: (model, event, by) => rules.delay(model, event, { ...by, seconds }),
      };
    },
  },
  {
    name: "update",
    weight: 3,
    from: eventStates,
    isUnmodelled: true,
    make: (world) => {
      const changes = changesOf(world);
      return { inProduct: (deps, command) => updateEvent(deps, { ...command, changes }) };
    },
  },
];

/** An admin performs a random action on an event. */
export async function actOnEvent(world: World): Promise<void> {
  const snapshots = await readSnapshots(world);
  if (snapshots.length === 0) return;
  const { event } = pick(world.dice, snapshots);
  const { name, make } = chooseAction(world, actions, event.state);
  const { label, index, actor } = pickAdmin(world);
  const deed = deedOf(world, make(world), { eventId: event.id, actor }, index);
  await perform(world, `${label}: ${name} ${nameOf(world, event.id)}`, deed);
}

function deedOf(
  { deps, eventIds }: World,
  { inProduct, rule }: OnEvent,
  command: EventCommand,
  actor: number,
): Deed {
  return {
    inProduct: () => inProduct(deps, command),
    ...(rule !== undefined && {
      inModel: (model: Model) => {
        const event = model.events[eventIds.indexOf(command.eventId)];
        if (event === undefined) throw new Error("the model lacks an event");
        return rule(model, event, { actor });
      },
    }),
  };
}

/** An admin resolves an event, and changes the result at once, or just after the time for undoing is over. */
export async function resolveAndUndo(world: World): Promise<void> {
  const { dice } = world;
  const resolvable = (await readSnapshots(world)).filter(({ event }) =>
    transitions.resolve.from.some((state) => state === event.state),
  );
  if (resolvable.length === 0) return;
  const { event } = pick(dice, resolvable);
  const { label, index, actor } = pickAdmin(world);
  const name = nameOf(world, event.id);
  const decide = (what: string, verdict: Verdict) =>
    perform(
      world,
      `${label}: ${what} ${name} to ${verdict.result}`,
      deedOf(world, resolving(verdict), { eventId: event.id, actor }, index),
    );
  await decide("resolve", { result: pick(dice, ["true", "false"] as const), reason: "Seen." });
  await tick(world, pick(dice, [0, 2_000, 9_999, 10_000, 10_001, 15_000]));
  await decide("undo", { result: pick(dice, results) });
}

/** `effectiveAt` is left out: that of the result before. */
type Verdict = { result: EventResult; reason?: string; effectiveAt?: Date | null };

function resolving(verdict: Verdict): OnEvent {
  const { result, reason = null, effectiveAt } = verdict;
  const effectiveMs = effectiveAt instanceof Date ? effectiveAt.getTime() : effectiveAt;
  return {
    inProduct: (deps, command) => resolveEvent(deps, { ...command, ...verdict }),
    rule: (model, event, { actor }) => rules.resolve(model, event, { result, reason, effectiveMs, actor }),
  };
}

/** Now and then only calls before some moment count, or all calls again. */
function resolve(world: World): OnEvent {
  const { dice, clock } = world;
  const verdict = { ...reasonOrNone(world), result: pick(dice, results) };
  if (dice.chance(0.7)) return resolving(verdict);
  const effectiveAt = dice.chance(0.7) ? new Date(clock.nowMs() - dice.between(-500, 15_000)) : null;
  return resolving({ ...verdict, effectiveAt });
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
