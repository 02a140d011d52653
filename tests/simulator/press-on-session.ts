import { eq } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { createEvent } from "#src/events/create-event.ts";
import { activateSession } from "#src/sessions/activate-session.ts";
import {
  sessionFlagChanges,
  type SessionState,
  sessionStates,
  sessionTransitions,
} from "#src/sessions/contract.ts";
import { deactivateSession } from "#src/sessions/deactivate-session.ts";
import { destroySession } from "#src/sessions/destroy-session.ts";
import { pauseSession } from "#src/sessions/pause-session.ts";
import { reorderEvents } from "#src/sessions/reorder-events.ts";
import { resumeSession } from "#src/sessions/resume-session.ts";
import { startSession } from "#src/sessions/start-session.ts";
import { stopSession } from "#src/sessions/stop-session.ts";
import { updateSession } from "#src/sessions/update-session.ts";
import type { SessionCommand } from "#src/sessions/with-session.ts";
import { outcomeOf } from "./outcome.ts";
import { choosePress, type Press, pickAdmin } from "./press.ts";
import { addToWorld, nameOf, note, pick, readStands, type World } from "./world.ts";

type PressOnSession = Press<SessionState, (deps: Deps, order: SessionCommand) => Promise<unknown>>;

const start: PressOnSession = {
  name: "start",
  weight: 6,
  from: sessionTransitions.start.from,
  press: startSession,
};
const presses: readonly PressOnSession[] = [
  start,
  { name: "pause", weight: 6, from: sessionTransitions.pause.from, press: pauseSession },
  { name: "resume", weight: 9, from: sessionTransitions.resume.from, press: resumeSession },
  { name: "stop", weight: 1, from: sessionTransitions.stop.from, press: stopSession },
  { name: "activate", weight: 1, from: sessionFlagChanges.activate.from, press: activateSession },
  { name: "deactivate", weight: 1, from: sessionFlagChanges.deactivate.from, press: deactivateSession },
  { name: "destroy", weight: 1, from: sessionTransitions.start.from, press: destroySession },
  {
    name: "update",
    weight: 1,
    from: sessionStates,
    press: (deps, order) => updateSession(deps, { ...order, changes: { settings: { leadSeconds: 3 } } }),
  },
];

/** An admin presses something on a session, most often on the main one. */
export async function pressOnSession(world: World): Promise<void> {
  const { dice, sessionIds } = world;
  const sessionId = dice.chance(0.85) ? sessionIds[0] : pick(dice, sessionIds);
  const [session] = await world.deps.pool.db
    .select({ state: sessions.state })
    .from(sessions)
    .where(eq(sessions.id, sessionId ?? 0));
  await press(world, choosePress(dice, presses, session?.state), sessionId ?? 0);
}

/** An admin starts the main session. */
export async function startShow(world: World): Promise<void> {
  await press(world, start, world.sessionIds[0] ?? 0);
}

async function press(world: World, pressed: PressOnSession, sessionId: number): Promise<void> {
  const { who, actor } = pickAdmin(world);
  const outcome = await outcomeOf(pressed.press(world.deps, { sessionId, actor }));
  const session = `session ${world.sessionIds.indexOf(sessionId) + 1}`;
  note(world, `${who} presses ${pressed.name} on ${session}: ${outcome.text}`);
}

/** An admin puts what has not opened into another order, now and then as it stood a while ago. */
export async function reorder(world: World): Promise<void> {
  const { dice, sessionIds } = world;
  const sessionId = pick(dice, sessionIds);
  const { who, actor } = pickAdmin(world);
  const unopened = (await readStands(world)).filter(
    ({ event, session }) =>
      session.id === sessionId && (event.state === "draft" || event.state === "visible"),
  );
  const drawn = unopened.map(({ event }) => ({ id: event.id, lot: dice.roll() }));
  const eventIds = drawn.toSorted((one, other) => one.lot - other.lot).map(({ id }) => id);
  if (dice.chance(0.1)) eventIds.pop();
  const outcome = await outcomeOf(reorderEvents(world.deps, { sessionId, actor, eventIds }));
  const order = eventIds.map((id) => nameOf(world, id)).join(", ");
  note(world, `${who} puts in order ${order}: ${outcome.text}`);
}

/** An admin adds an event to a session, half of the time by "Ask". */
export async function addEvent(world: World): Promise<void> {
  const { dice, deps } = world;
  const { who, actor } = pickAdmin(world);
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
    }),
  );
  if (outcome.done) await addToWorld(world, outcome.value.id);
  note(world, `${who} ${ask ? "asks" : "adds an event"}: ${outcome.text}`);
}
