import type { Dice } from "#jobs/demo/dice.ts";
import type { EventResult, UpdateEventBody } from "#src/events/contract.ts";
import { advanceEvent } from "#src/events/advance-event.ts";
import { closeEvent } from "#src/events/close-event.ts";
import { createEvent } from "#src/events/create-event.ts";
import { delayEvent } from "#src/events/delay-event.ts";
import { destroyEvent } from "#src/events/destroy-event.ts";
import { hideEvent } from "#src/events/hide-event.ts";
import { openEvent } from "#src/events/open-event.ts";
import { publishEvent } from "#src/events/publish-event.ts";
import { resetEvent } from "#src/events/reset-event.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import { showHiddenEvent } from "#src/events/show-hidden-event.ts";
import { skipEvent } from "#src/events/skip-event.ts";
import { updateEvent } from "#src/events/update-event.ts";
import { activateSession } from "#src/sessions/activate-session.ts";
import { deactivateSession } from "#src/sessions/deactivate-session.ts";
import { pauseSession } from "#src/sessions/pause-session.ts";
import { resumeSession } from "#src/sessions/resume-session.ts";
import { startSession } from "#src/sessions/start-session.ts";
import { stopSession } from "#src/sessions/stop-session.ts";
import { updateSession } from "#src/sessions/update-session.ts";
import { outcomeOf } from "./outcome.ts";
import { nameOf, note, pick, type World } from "./world.ts";

/** What an admin presses on an event, and on which. */
type Press<Do> = { name: string; /** How often, beside the others. */ weight: number; press: Do };
type PressOnEvent = (world: World, order: { eventId: number; actor: { id: number } }) => Promise<unknown>;

const results: readonly EventResult[] = ["true", "false", "true", "false", "void"];
const reasonOrNone = ({ dice }: World) => (dice.chance(0.8) ? { reason: "Because." } : {});

const eventPresses: readonly Press<PressOnEvent>[] = [
  { name: "publish", weight: 6, press: ({ deps }, order) => publishEvent(deps, order) },
  { name: "open", weight: 10, press: ({ deps }, order) => openEvent(deps, order) },
  { name: "close", weight: 6, press: ({ deps }, order) => closeEvent(deps, order) },
  {
    name: "resolve",
    weight: 12,
    press: (world, order) =>
      resolveEvent(world.deps, {
        ...order,
        ...effectiveAt(world),
        ...reasonOrNone(world),
        result: pick(world.dice, results),
      }),
  },
  {
    name: "reset",
    weight: 3,
    press: (world, order) => resetEvent(world.deps, { ...order, ...reasonOrNone(world) }),
  },
  { name: "hide", weight: 3, press: ({ deps }, order) => hideEvent(deps, order) },
  { name: "show", weight: 3, press: ({ deps }, order) => showHiddenEvent(deps, order) },
  { name: "destroy", weight: 2, press: ({ deps }, order) => destroyEvent(deps, order) },
  { name: "advance", weight: 6, press: ({ deps }, order) => advanceEvent(deps, order) },
  {
    name: "skip",
    weight: 3,
    press: (world, order) => skipEvent(world.deps, { ...order, ...reasonOrNone(world) }),
  },
  {
    name: "delay",
    weight: 4,
    press: ({ deps, dice }, order) =>
      delayEvent(deps, { ...order, seconds: pick(dice, [30, 5, -5, -20, 600]) }),
  },
  {
    name: "update",
    weight: 4,
    press: ({ deps, ...world }, order) => updateEvent(deps, { ...order, changes: changesOf(world) }),
  },
];

/** What an admin presses on a session; each is one of these most of the time, where it has an effect. */
const sessionPresses: readonly Press<typeof startSession>[] = [
  { name: "start", weight: 3, press: startSession },
  { name: "pause", weight: 6, press: pauseSession },
  { name: "resume", weight: 9, press: resumeSession },
  { name: "stop", weight: 1, press: stopSession },
  { name: "activate", weight: 2, press: activateSession },
  { name: "deactivate", weight: 1, press: deactivateSession },
  {
    name: "update",
    weight: 1,
    press: (deps, order) => updateSession(deps, { ...order, changes: { settings: { leadSeconds: 3 } } }),
  },
];

/** An admin presses something on an event. */
export async function pressOnEvent(world: World): Promise<void> {
  const { name, press } = pickByWeight(world.dice, eventPresses);
  const eventId = pick(world.dice, world.eventIds);
  const [who, actor] = pickAdmin(world);
  const outcome = await outcomeOf(press(world, { eventId, actor }));
  note(world, `${who} presses ${name} on ${nameOf(world, eventId)}: ${outcome.text}`);
}

/** An admin resolves what is there to be resolved, and at once sees that it was the wrong result. */
export async function resolveAndUndo(world: World): Promise<void> {
  const eventId = pick(world.dice, world.eventIds);
  const [who, actor] = pickAdmin(world);
  const result = pick(world.dice, ["true", "false"] as const);
  const first = await outcomeOf(resolveEvent(world.deps, { eventId, actor, result, reason: "Seen." }));
  note(world, `${who} resolves ${nameOf(world, eventId)} to ${result}: ${first.text}`);
  await world.clock.setMs(world.clock.nowMs() + world.dice.between(0, 12_000));
  const other = pick(world.dice, results);
  const second = await outcomeOf(resolveEvent(world.deps, { eventId, actor, result: other }));
  note(world, `${who} undoes it, now ${other}: ${second.text}`);
}

/** An admin presses something on a session, most often on the main one. */
export async function pressOnSession(world: World): Promise<void> {
  await pressSession(world, pickByWeight(world.dice, sessionPresses));
}

/** An admin starts the main session. */
export async function startShow(world: World): Promise<void> {
  await pressSession(world, { name: "start", press: startSession });
}

async function pressSession(
  world: World,
  { name, press }: Omit<Press<typeof startSession>, "weight">,
): Promise<void> {
  const index = world.dice.chance(0.85) ? 0 : world.sessionIds.length - 1;
  const sessionId = world.sessionIds[index] ?? 0;
  const [who, actor] = pickAdmin(world);
  const outcome = await outcomeOf(press(world.deps, { sessionId, actor }));
  note(world, `${who} presses ${name} on session ${index + 1}: ${outcome.text}`);
}

/** An admin adds an event to the main session, half of the time by "Ask". */
export async function addEvent(world: World): Promise<void> {
  const { dice, deps } = world;
  const [who, actor] = pickAdmin(world);
  const ask = dice.chance(0.5);
  const outcome = await outcomeOf(
    createEvent(deps, {
      actor,
      ask,
      sessionId: pick(dice, world.sessionIds),
      title: "And this?",
      durationSeconds: dice.between(5, 20),
      resolveWithinSeconds: dice.between(0, 10),
      ...(dice.chance(0.3) ? { position: dice.between(1, 3) } : {}),
    }),
  );
  if (outcome.done) world.eventIds.push(outcome.value.id);
  note(world, `${who} ${ask ? "asks" : "adds an event"}: ${outcome.text}`);
}

function pickAdmin({ dice, admins }: World): [who: string, actor: { id: number }] {
  // The second one does not play, so that most presses are not a conflict of interest.
  const index = dice.chance(0.2) ? 0 : 1;
  const actor = admins[index];
  if (actor === undefined) throw new Error("a world has two admins");
  return [`admin ${index + 1}`, actor];
}

function pickByWeight<Weighed extends { weight: number }>(dice: Dice, table: readonly Weighed[]): Weighed {
  return pick(
    dice,
    table.flatMap((row) => Array.from({ length: row.weight }, () => row)),
  );
}

/** Once in a while only what was called before some moment counts. */
function effectiveAt({ dice, clock }: World): { effectiveAt?: Date } {
  return dice.chance(0.2) ? { effectiveAt: new Date(clock.nowMs() - dice.between(-500, 15_000)) } : {};
}

function changesOf({ dice, clock }: Pick<World, "dice" | "clock">): UpdateEventBody {
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
