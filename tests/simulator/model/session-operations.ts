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
import { mostlyLegal, type Operation, type WeightedOperation, playerIdOf } from "./operation.ts";
import { activate, deactivate, pause, resume, start, stop } from "./session-transitions.ts";

const is = (state: Model["session"]) => (model: Model) => model.session === state;

export const startSessionOperation = sessionOperation("start", is("pending"), start, startSession);

/** The operations on the session. */
export const sessionOperations: readonly WeightedOperation[] = [
  { weight: 3, arbitrary: startSessionOperation },
  { weight: 3, arbitrary: sessionOperation("pause", is("running"), pause, pauseSession) },
  { weight: 8, arbitrary: sessionOperation("resume", is("paused"), resume, resumeSession) },
  { weight: 1, arbitrary: sessionOperation("stop", isLive, stop, stopSession) },
  { weight: 1, arbitrary: sessionOperation("activate", ({ active }) => !active, activate, activateSession) },
  {
    weight: 1,
    arbitrary: sessionOperation("deactivate", ({ active }) => active, deactivate, deactivateSession),
  },
  { weight: 3, arbitrary: addEventOperation() },
];

function sessionOperation(
  name: string,
  isLegal: (model: Model) => boolean,
  inModel: (model: Model) => string,
  verb: typeof startSession,
): fc.Arbitrary<Operation> {
  return mostlyLegal.map((legal) => ({
    text: name,
    isPossible: (model) => !legal || isLegal(model),
    inModel: (model) => ({
      reply: inModel(model),
      inProduct: ({ deps, sessionIds: [sessionId = 0] }) => verb(deps, { sessionId, actor: null }),
    }),
  }));
}

function addEventOperation(): fc.Arbitrary<Operation> {
  return fc.record({ ask: fc.boolean(), durationSeconds: fc.integer({ min: 5, max: 20 }) }).map((input) => ({
    text: input.ask ? "admin: ask" : "admin: add an event",
    isPossible: () => true,
    inModel: (model) => ({
      reply: addEvent(model, input),
      inProduct: async (world) => {
        const [sessionId = 0] = world.sessionIds;
        const actor = { id: playerIdOf(world, 1) };
        const { id } = await createEvent(world.deps, { ...input, actor, sessionId, title: "And this?" });
        await addToWorld(world, id);
      },
    }),
  }));
}
