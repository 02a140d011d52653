import fc from "fast-check";
import { startModes } from "#db/lists/events.ts";
import { createEvent } from "#src/show/events/create-event.ts";
import { activateSession, deactivateSession } from "#src/show/sessions/activate-session.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { addToWorld } from "../world.ts";
import { type AddedEvent, addEvent } from "./add-event.ts";
import { isLive, type Model } from "./model.ts";
import { mostlyLegal, type Operation, type WeightedOperation, playerIdOf } from "./operation.ts";
import { activate, deactivate, pause, resume, start, stop } from "./session-transitions.ts";

const is = (state: Model["session"]) => (model: Model) => model.session === state;

/** Half of the sessions start at once. */
export const startSessionOperation: fc.Arbitrary<Operation> = fc
  .record({ legal: mostlyLegal, inSeconds: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 15 })) })
  .map(({ legal, inSeconds }) => ({
    text: `start in ${inSeconds} s`,
    isPossible: (model) => !legal || model.session === "pending",
    inModel: (model) => ({
      reply: start(model, inSeconds),
      inProduct: ({ deps, sessionIds: [sessionId = 0] }) =>
        startSession(deps, { sessionId, actor: null, inSeconds }),
    }),
  }));

const addedEvent: fc.Arbitrary<AddedEvent> = fc.record({
  ask: fc.boolean(),
  startMode: fc.constantFrom(undefined, ...startModes),
  offsetSeconds: fc.integer({ min: 0, max: 9 }),
  durationSeconds: fc.integer({ min: 5, max: 20 }),
});

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
  inModel: (model: Model, actor: number | null) => string,
  verb: typeof pauseSession,
): fc.Arbitrary<Operation> {
  return fc.record({ legal: mostlyLegal, actor: fc.constantFrom(null, 0, 1) }).map(({ legal, actor }) => ({
    text: actor === null ? name : `admin ${actor}: ${name}`,
    isPossible: (model) => !legal || isLegal(model),
    inModel: (model) => ({
      reply: inModel(model, actor),
      inProduct: (world) => {
        const [sessionId = 0] = world.sessionIds;
        return verb(world.deps, {
          sessionId,
          actor: actor === null ? null : { id: playerIdOf(world, actor) },
        });
      },
    }),
  }));
}

function addEventOperation(): fc.Arbitrary<Operation> {
  return addedEvent.map((input) => ({
    text: `admin: ${input.ask ? "ask" : "add an event"} ${JSON.stringify(input)}`,
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
