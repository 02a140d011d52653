import fc from "fast-check";
import { createEvent } from "#src/events/create-event.ts";
import { activateSession } from "#src/sessions/activate-session.ts";
import { deactivateSession } from "#src/sessions/deactivate-session.ts";
import { pauseSession } from "#src/sessions/pause-session.ts";
import { resumeSession } from "#src/sessions/resume-session.ts";
import { startSession } from "#src/sessions/start-session.ts";
import { stopSession } from "#src/sessions/stop-session.ts";
import { addToWorld } from "../world.ts";
import { addEvent } from "./add-event.ts";
import { isLive, type Model } from "./model.ts";
import { careful, type Deed, type Deeds, playerIdOf } from "./move.ts";
import { activate, deactivate, pause, resume, start, stop } from "./run-session.ts";

const is = (state: Model["session"]) => (model: Model) => model.session === state;

export const starting = session("start", is("pending"), start, startSession);

/** What is done to a session. */
export const sessionMoves: readonly Deeds[] = [
  { weight: 3, arbitrary: starting },
  { weight: 3, arbitrary: session("pause", is("running"), pause, pauseSession) },
  { weight: 8, arbitrary: session("resume", is("paused"), resume, resumeSession) },
  { weight: 1, arbitrary: session("stop", isLive, stop, stopSession) },
  { weight: 1, arbitrary: session("activate", ({ active }) => !active, activate, activateSession) },
  { weight: 1, arbitrary: session("deactivate", ({ active }) => active, deactivate, deactivateSession) },
  { weight: 3, arbitrary: adding() },
];

function session(
  name: string,
  fits: (model: Model) => boolean,
  inModel: (model: Model) => string,
  verb: typeof startSession,
): fc.Arbitrary<Deed> {
  return careful.map((fitting) => ({
    text: name,
    possible: (model) => !fitting || fits(model),
    inModel: (model) => ({
      reply: inModel(model),
      inProduct: ({ deps, sessionIds: [sessionId = 0] }) => verb(deps, { sessionId, actor: null }),
    }),
  }));
}

function adding(): fc.Arbitrary<Deed> {
  return fc.record({ ask: fc.boolean(), durationSeconds: fc.integer({ min: 5, max: 20 }) }).map((wish) => ({
    text: wish.ask ? "an admin asks" : "an admin adds an event",
    possible: () => true,
    inModel: (model) => ({
      reply: addEvent(model, wish),
      inProduct: async (world) => {
        const [sessionId = 0] = world.sessionIds;
        const actor = { id: playerIdOf(world, 1) };
        const { id } = await createEvent(world.deps, { ...wish, actor, sessionId, title: "And this?" });
        await addToWorld(world, id);
      },
    }),
  }));
}
