import { eq } from "drizzle-orm";
import { startModes } from "#db/lists/events.ts";
import { type SessionState, sessionStates } from "#db/lists/sessions.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { outcomeOf } from "#src/dry-runs/simulate/play-show.ts";
import { nameOf, readSnapshots } from "#src/dry-runs/simulate/show.ts";
import { createEvent } from "#src/show/events/create-event.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { sessionFlagChanges, sessionTransitions } from "#src/show/sessions/contract.ts";
import { destroySession } from "#src/show/sessions/destroy-session.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { reorderEvents } from "#src/show/sessions/reorder-events.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { updateSession } from "#src/show/sessions/update-session.ts";
import type { SessionCommand } from "#src/show/sessions/with-session.ts";
import { chooseAction, type Action, pickAdmin } from "./action.ts";
import { addToWorld, record, pick, type World } from "./world.ts";

/** Only a start uses `inSeconds`. */
type Command = SessionCommand & { inSeconds: number };
type SessionAction = Action<SessionState, (deps: Deps, command: Command) => Promise<unknown>>;

const start: SessionAction = {
  name: "start",
  weight: 6,
  from: sessionTransitions.start.from,
  run: startSession,
};
const sessionActions: readonly SessionAction[] = [
  start,
  { name: "pause", weight: 6, from: sessionTransitions.pause.from, run: pauseSession },
  { name: "resume", weight: 9, from: sessionTransitions.resume.from, run: resumeSession },
  { name: "stop", weight: 1, from: sessionTransitions.stop.from, run: stopSession },
  { name: "activate", weight: 1, from: sessionFlagChanges.activate.from, run: activateSession },
  { name: "deactivate", weight: 1, from: sessionFlagChanges.deactivate.from, run: deactivateSession },
  { name: "destroy", weight: 1, from: sessionTransitions.start.from, run: destroySession },
  {
    name: "update",
    weight: 1,
    from: sessionStates,
    run: (deps, command) => updateSession(deps, { ...command, changes: { settings: { leadSeconds: 3 } } }),
  },
];

/** An admin performs a random action on a session, most often on the main one. */
export async function actOnSession(world: World): Promise<void> {
  const { dice, sessionIds } = world;
  const sessionId = dice.chance(0.85) ? sessionIds[0] : pick(dice, sessionIds);
  const [session] = await world.deps.pool.db
    .select({ state: sessions.state })
    .from(sessions)
    .where(eq(sessions.id, sessionId ?? 0));
  await perform(world, chooseAction(dice, sessionActions, session?.state), sessionId ?? 0);
}

/** An admin starts the main session. */
export async function startShow(world: World): Promise<void> {
  await perform(world, start, world.sessionIds[0] ?? 0);
}

async function perform(world: World, action: SessionAction, sessionId: number): Promise<void> {
  const { label, actor } = pickAdmin(world);
  const inSeconds = world.dice.chance(0.5) ? world.dice.between(0, 12) : 0;
  const outcome = await outcomeOf(action.run(world.deps, { sessionId, actor, inSeconds }));
  const session = `session ${world.sessionIds.indexOf(sessionId) + 1}`;
  record(world, `${label}: ${action.name} ${session}: ${outcome.text}`);
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
  const outcome = await outcomeOf(reorderEvents(world.deps, { sessionId, actor, eventIds }));
  const order = eventIds.map((id) => nameOf(world, id)).join(", ");
  record(world, `${label}: reorder to ${order}: ${outcome.text}`);
}

/** An admin adds an event to a session; in half of the cases by "Ask". */
export async function addEvent(world: World): Promise<void> {
  const { dice, deps } = world;
  const { label, actor } = pickAdmin(world);
  const ask = dice.chance(0.5);
  const outcome = await outcomeOf(
    createEvent(deps, {
      actor,
      ask,
      sessionId: pick(dice, world.sessionIds),
      title: "And this?",
      durationSeconds: dice.between(5, 20),
      resolveWithinSeconds: dice.between(0, 10),
      ...(dice.chance(0.2) ? { position: dice.between(1, 3) } : {}),
      ...(dice.chance(0.5) ? { startMode: pick(dice, startModes), offsetSeconds: dice.between(0, 8) } : {}),
    }),
  );
  if (outcome.done) await addToWorld(world, outcome.value.id);
  record(world, `${label}: ${ask ? "ask" : "add an event"}: ${outcome.text}`);
}
