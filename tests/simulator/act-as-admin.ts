import { eq } from "drizzle-orm";
import { type EventResult, type EventState, eventStates, startModes } from "#db/lists/events.ts";
import { type SessionState, sessionStates } from "#db/lists/sessions.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Random } from "#src/base/random.ts";
import { nameOf, readSnapshots } from "#src/dry-runs/simulate/show.ts";
import { advanceEvent, delayEvent } from "#src/show/events/advance-event.ts";
import { hideEvent, showHiddenEvent, destroyEvent } from "#src/show/events/change-event-state.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { eventActions, eventTransitions as transitions } from "#src/show/events/contract.ts";
import { createEvent } from "#src/show/events/create-event.ts";
import { openEvent, publishEvent } from "#src/show/events/open-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { withdrawResult, resolveEvent } from "#src/show/events/resolve-event.ts";
import type { UpdateEventBody } from "#src/show/events/schemas.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { sessionFlagChanges, sessionTransitions } from "#src/show/sessions/contract.ts";
import { destroySession } from "#src/show/sessions/create-session.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { reorderEvents } from "#src/show/sessions/reorder-events.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { updateSession } from "#src/show/sessions/update-session.ts";
import { perform } from "./act-as-player.ts";
import { addToWorld, pick, tick, type World } from "./world.ts";

/** What an admin can do: its name, how often it is chosen, the states in which it is allowed, and the verb. */
type Action<State, Command> = readonly [
  name: string,
  weight: number,
  allowed: { from: readonly State[] },
  act: (deps: Deps, command: Command, world: World) => Promise<unknown>,
];
type Actor = { actor: { id: number } };

const results: readonly EventResult[] = ["true", "false", "true", "false", "void"];
const reasonOrNone = ({ dice }: World) => (dice.chance(0.8) ? { reason: "Because." } : {});
/** The verb, mostly with a reason. */
const withReason =
  <Command>(verb: (deps: Deps, command: Command & { reason?: string }) => Promise<unknown>) =>
  (deps: Deps, command: Command, world: World) =>
    verb(deps, { ...command, ...reasonOrNone(world) });

const onEvent: readonly Action<EventState, Actor & { eventId: number }>[] = [
  ["publish", 6, transitions.publish_event, publishEvent],
  ["open", 10, transitions.open_event, openEvent],
  ["close", 4, transitions.close_event, closeEvent],
  [
    "resolve",
    10,
    transitions.resolve,
    (deps, to, world) => resolveEvent(deps, { ...to, ...verdictIn(world) }),
  ],
  ["withdraw", 4, transitions.withdraw, withReason(withdrawResult)],
  ["reset", 2, transitions.reset, withReason(resetEvent)],
  ["hide", 2, transitions.hide, hideEvent],
  ["show", 4, transitions.show, showHiddenEvent],
  ["destroy", 1, transitions.destroy, destroyEvent],
  ["advance", 6, eventActions.advance, advanceEvent],
  ["skip", 2, eventActions.skip, withReason(skipEvent)],
  [
    "delay",
    4,
    eventActions.delay,
    (deps, command, { dice }) =>
      delayEvent(deps, { ...command, seconds: pick(dice, [30, 5, 1, -1, -5, -20, 600]) }),
  ],
  [
    "update",
    3,
    { from: eventStates },
    (deps, command, world) => updateEvent(deps, { ...command, changes: changesIn(world) }),
  ],
];

const onSession: readonly Action<SessionState, Actor & { sessionId: number }>[] = [
  [
    "start",
    6,
    sessionTransitions.start,
    (deps, command, { dice }) =>
      startSession(deps, { ...command, inSeconds: dice.chance(0.5) ? dice.between(0, 12) : 0 }),
  ],
  ["pause", 6, sessionTransitions.pause, pauseSession],
  ["resume", 9, sessionTransitions.resume, resumeSession],
  ["stop", 1, sessionTransitions.stop, stopSession],
  ["activate", 1, sessionFlagChanges.activate, activateSession],
  ["deactivate", 1, sessionFlagChanges.deactivate, deactivateSession],
  ["destroy", 1, sessionTransitions.start, destroySession],
  [
    "update",
    1,
    { from: sessionStates },
    (deps, command) => updateSession(deps, { ...command, changes: { settings: { leadSeconds: 3 } } }),
  ],
];

/** How often an allowed action is chosen; otherwise any action. */
const LEGAL_SHARE = 0.75;

/** Chooses an action for an event or a session in this state. */
function choose<State, Command>(
  dice: Random,
  actions: readonly Action<State, Command>[],
  state: State | undefined,
) {
  const legal = actions.filter(([, , { from }]) => from.some((each) => each === state));
  const candidates = legal.length > 0 && dice.chance(LEGAL_SHARE) ? legal : actions;
  return pick(
    dice,
    candidates.flatMap((action) => Array.from({ length: action[1] }, () => action)),
  );
}

/** Mostly the second admin, who does not play: the first one's own calls forbid most actions (conflict of interest). */
function pickAdmin({ dice, admins }: World): Actor & { label: string } {
  const index = dice.chance(0.2) ? 0 : 1;
  const actor = admins[index];
  if (actor === undefined) throw new Error("a world has two admins");
  return { label: `admin ${index + 1}`, actor };
}

/** An admin performs a random action on an event. */
export async function actOnEvent(world: World): Promise<void> {
  const { event } = pick(world.dice, await readSnapshots(world));
  const [name, , , act] = choose(world.dice, onEvent, event.state);
  const { label, actor } = pickAdmin(world);
  const deed = act(world.deps, { eventId: event.id, actor }, world);
  await perform(world, `${label}: ${name} ${nameOf(world, event.id)}`, deed);
}

/** An admin performs a random action on a session, most often on the main one. */
export async function actOnSession(world: World): Promise<void> {
  const { dice, sessionIds, deps } = world;
  const sessionId = (dice.chance(0.85) ? sessionIds[0] : pick(dice, sessionIds)) ?? 0;
  const [session] = await deps.pool.db
    .select({ state: sessions.state })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  const [name, , , act] = choose(dice, onSession, session?.state);
  const { label, actor } = pickAdmin(world);
  const deed = act(deps, { sessionId, actor }, world);
  await perform(world, `${label}: ${name} session ${sessionIds.indexOf(sessionId) + 1}`, deed);
}

/** An admin starts the main session. */
export async function startShow(world: World): Promise<void> {
  const { label, actor } = pickAdmin(world);
  await perform(
    world,
    `${label}: start`,
    startSession(world.deps, { sessionId: world.sessionIds[0] ?? 0, actor }),
  );
}

/** An admin resolves an event, and changes the result at once, or just after the time for undoing is over. */
export async function resolveAndUndo(world: World): Promise<void> {
  const { dice, deps } = world;
  const resolvable = (await readSnapshots(world)).filter(({ event }) =>
    transitions.resolve.from.some((state) => state === event.state),
  );
  if (resolvable.length === 0) return;
  const { id: eventId } = pick(dice, resolvable).event;
  const { label, actor } = pickAdmin(world);
  const decide = (what: string, verdict: { result: EventResult; reason?: string }) =>
    perform(
      world,
      `${label}: ${what} ${nameOf(world, eventId)} to ${verdict.result}`,
      resolveEvent(deps, { eventId, actor, ...verdict }),
    );
  await decide("resolve", { result: pick(dice, ["true", "false"] as const), reason: "Seen." });
  await tick(world, pick(dice, [0, 2_000, 9_999, 10_000, 10_001, 15_000]));
  await decide("undo", { result: pick(dice, results) });
}

/** Now and then only calls before some moment count, or all calls again. */
function verdictIn(world: World): { result: EventResult; reason?: string; effectiveAt?: Date | null } {
  const { dice, clock } = world;
  const verdict = { ...reasonOrNone(world), result: pick(dice, results) };
  if (dice.chance(0.7)) return verdict;
  const effectiveAt = dice.chance(0.7) ? new Date(clock.nowMs() - dice.between(-500, 15_000)) : null;
  return { ...verdict, effectiveAt };
}

function changesIn({ dice, clock }: World): UpdateEventBody {
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

/** An admin reorders the events that have not opened, now and then with one missing. */
export async function reorder(world: World): Promise<void> {
  const { dice, sessionIds } = world;
  const sessionId = pick(dice, sessionIds);
  const { label, actor } = pickAdmin(world);
  const unopened = (await readSnapshots(world)).filter(
    ({ event, session }) =>
      session.id === sessionId && (event.state === "draft" || event.state === "visible"),
  );
  const shuffled = unopened.map(({ event }) => ({ id: event.id, lot: dice.roll() }));
  const eventIds = shuffled.toSorted((one, other) => one.lot - other.lot).map(({ id }) => id);
  if (dice.chance(0.1)) eventIds.pop();
  const order = eventIds.map((id) => nameOf(world, id)).join(", ");
  const deed = reorderEvents(world.deps, { sessionId, actor, eventIds });
  await perform(world, `${label}: reorder to ${order}`, deed);
}

/** An admin adds an event to a session; in half of the cases by "Ask". */
export async function addEvent(world: World): Promise<void> {
  const { dice, deps } = world;
  const { label, actor } = pickAdmin(world);
  const ask = dice.chance(0.5);
  const terms = {
    startMode: dice.chance(0.5) ? pick(dice, startModes) : undefined,
    offsetSeconds: dice.between(0, 8),
    durationSeconds: dice.between(5, 20),
    resolveWithinSeconds: dice.between(0, 10),
    ...(dice.chance(0.2) ? { position: dice.between(1, 3) } : {}),
  };
  const sessionId = pick(dice, world.sessionIds);
  const outcome = await perform(
    world,
    `${label}: ${ask ? "ask" : "add an event"} ${JSON.stringify(terms)}`,
    createEvent(deps, { actor, ask, sessionId, title: "And this?", ...terms }),
  );
  if (outcome.done) await addToWorld(world, outcome.value.id);
}
