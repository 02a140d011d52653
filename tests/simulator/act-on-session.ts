import { eq } from "drizzle-orm";
import { startModes } from "#db/lists/events.ts";
import { type SessionState, sessionStates } from "#db/lists/sessions.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { nameOf, readSnapshots } from "#src/dry-runs/simulate/show.ts";
import { createEvent } from "#src/show/events/create-event.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { sessionFlagChanges, sessionTransitions } from "#src/show/sessions/contract.ts";
import { destroySession } from "#src/show/sessions/create-session.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { reorderEvents } from "#src/show/sessions/reorder-events.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { updateSession } from "#src/show/sessions/update-session.ts";
import type { SessionCommand } from "#src/show/sessions/with-session.ts";
import { type Action, chooseAction, perform, pickAdmin } from "./act.ts";
import type { Model } from "./model/model.ts";
import * as rules from "./model/session-rules.ts";
import { pick } from "./plan-world.ts";
import { addToWorld, type World } from "./world.ts";

/** Only a start uses `inSeconds`. */
type Command = SessionCommand & { inSeconds: number };
type Rule = (model: Model, by: { actor: number; inSeconds: number }) => string;
type OnSession = { inProduct: (deps: Deps, command: Command) => Promise<unknown>; rule?: Rule };
type SessionAction = Action<SessionState, OnSession>;

const start: SessionAction = {
  name: "start",
  weight: 6,
  from: sessionTransitions.start.from,
  make: { inProduct: startSession, rule: (model, { inSeconds }) => rules.start(model, inSeconds) },
};
const actions: readonly SessionAction[] = [
  start,
  {
    name: "pause",
    weight: 6,
    from: sessionTransitions.pause.from,
    make: { inProduct: pauseSession, rule: (model, { actor }) => rules.pause(model, actor) },
  },
  {
    name: "resume",
    weight: 9,
    from: sessionTransitions.resume.from,
    make: { inProduct: resumeSession, rule: rules.resume },
  },
  {
    name: "stop",
    weight: 1,
    from: sessionTransitions.stop.from,
    make: { inProduct: stopSession, rule: (model, { actor }) => rules.stop(model, actor) },
  },
  {
    name: "activate",
    weight: 1,
    from: sessionFlagChanges.activate.from,
    make: { inProduct: activateSession, rule: rules.activate },
  },
  {
    name: "deactivate",
    weight: 1,
    from: sessionFlagChanges.deactivate.from,
    make: { inProduct: deactivateSession, rule: rules.deactivate },
  },
  {
    name: "destroy",
    weight: 1,
    from: sessionTransitions.start.from,
    isUnmodelled: true,
    make: { inProduct: destroySession },
  },
  {
    name: "update",
    weight: 1,
    from: sessionStates,
    isUnmodelled: true,
    make: {
      inProduct: (deps, command) =>
        updateSession(deps, { ...command, changes: { settings: { leadSeconds: 3 } } }),
    },
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
  await act(world, chooseAction(world, actions, session?.state), sessionId ?? 0);
}

/** An admin starts the main session. */
export async function startShow(world: World): Promise<void> {
  await act(world, start, world.sessionIds[0] ?? 0);
}

async function act(world: World, { name, make }: SessionAction, sessionId: number): Promise<void> {
  const { label, index, actor } = pickAdmin(world);
  const inSeconds = world.dice.chance(0.5) ? world.dice.between(0, 12) : 0;
  const { inProduct, rule } = make;
  await perform(world, `${label}: ${name} session ${world.sessionIds.indexOf(sessionId) + 1}`, {
    inProduct: () => inProduct(world.deps, { sessionId, actor, inSeconds }),
    ...(rule !== undefined && { inModel: (model: Model) => rule(model, { actor: index, inSeconds }) }),
  });
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
  await perform(world, `${label}: reorder to ${order}`, {
    inProduct: () => reorderEvents(world.deps, { sessionId, actor, eventIds }),
  });
}

/** An admin adds an event to a session; in half of the cases by "Ask". */
export async function addEvent(world: World): Promise<void> {
  const { dice, deps, model } = world;
  const { label, actor } = pickAdmin(world);
  const ask = dice.chance(0.5);
  const terms = {
    startMode: dice.chance(0.5) ? pick(dice, startModes) : undefined,
    offsetSeconds: dice.between(0, 8),
    durationSeconds: dice.between(5, 20),
  };
  const more = {
    resolveWithinSeconds: dice.between(0, 10),
    ...(dice.chance(0.2) ? { position: dice.between(1, 3) } : {}),
  };
  const sessionId = pick(dice, world.sessionIds);
  await perform(world, `${label}: ${ask ? "ask" : "add an event"} ${JSON.stringify(terms)}`, {
    inProduct: async () => {
      const { id } = await createEvent(deps, {
        actor,
        ask,
        sessionId,
        title: "And this?",
        ...terms,
        ...(model === null ? more : {}),
      });
      await addToWorld(world, id);
    },
    inModel: (known) => rules.addEvent(known, { ask, ...terms }),
  });
}
