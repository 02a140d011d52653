import fc from "fast-check";
import { cancelCall } from "#src/calls/cancel-call.ts";
import { placeCall } from "#src/calls/place-call.ts";
import { createEvent } from "#src/events/create-event.ts";
import { activateSession } from "#src/sessions/activate-session.ts";
import { deactivateSession } from "#src/sessions/deactivate-session.ts";
import { pauseSession } from "#src/sessions/pause-session.ts";
import { resumeSession } from "#src/sessions/resume-session.ts";
import { startSession } from "#src/sessions/start-session.ts";
import { stopSession } from "#src/sessions/stop-session.ts";
import { runUntil } from "../timeline.ts";
import { findSpot, type World } from "../world.ts";
import { addEvent } from "./add-event.ts";
import { eventOf, type EventChoice, eventChoice, eventMoves, playerIdOf } from "./event-moves.ts";
import type { Model } from "./model.ts";
import { type Deed, Move } from "./move.ts";
import { passTime, untilEdgeMs } from "./pass-time.ts";
import { place, takeBack } from "./play-calls.ts";
import { DONE } from "./replies.ts";
import { activate, deactivate, pause, resume, start, stop } from "./run-session.ts";

const PLAYERS = [0, 2, 3, 4];
const DAY_MS = 86_400_000;

/** All that can be done, the more often the more often it stands here. */
export const moves: fc.Arbitrary<Move>[] = [
  ...repeat(placing(), 6),
  ...repeat(takingBack(), 2),
  ...repeat(waiting(), 4),
  ...repeat(goingToAnEdge(), 3),
  comingLate(),
  ...repeat(session("start", start, startSession), 2),
  session("pause", pause, pauseSession),
  ...repeat(session("resume", resume, resumeSession), 2),
  session("stop", stop, stopSession),
  session("activate", activate, activateSession),
  session("deactivate", deactivate, deactivateSession),
  adding(),
  ...eventMoves,
].map((deeds) => deeds.map((deed) => new Move(deed)));

function repeat<Item>(item: Item, times: number): Item[] {
  return Array.from({ length: times }, () => item);
}

function session(
  name: string,
  inModel: (model: Model) => string,
  verb: typeof startSession,
): fc.Arbitrary<Deed> {
  return fc.constant({
    text: name,
    possible: () => true,
    inModel: (model) => ({
      reply: inModel(model),
      inProduct: ({ deps, sessionIds: [sessionId = 0] }) => verb(deps, { sessionId, actor: null }),
    }),
  });
}

function placing(): fc.Arbitrary<Deed> {
  const wish = fc.record({
    player: fc.constantFrom(...PLAYERS),
    side: fc.constantFrom("true" as const, "false" as const),
    cents: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3_000 })),
    choice: eventChoice,
  });
  return wish.map(({ choice, ...call }) => ({
    text: `player ${call.player} calls ${call.side} for ${call.cents} on ${choice.text}`,
    possible: () => true,
    inModel: (model) => {
      const event = eventOf(model, choice, ["open"]);
      return {
        reply: place(model, { ...call, event }),
        inProduct: (world) => placeIn(world, { ...call, event }),
      };
    },
  }));
}

async function placeIn(
  world: World,
  call: { player: number; side: "true" | "false"; cents: number; event: number },
) {
  const viewer = { id: playerIdOf(world, call.player) };
  const { callId } = await placeCall(world.deps, {
    viewer,
    spotId: await findSpot(world, world.eventIds[call.event] ?? 0, call.side),
    wagerCents: call.cents,
    idempotencyKey: crypto.randomUUID(),
  });
  world.calls.push({ callId, userId: viewer.id, spotId: 0, wagerCents: call.cents, key: "" });
}

function takingBack(): fc.Arbitrary<Deed> {
  const wish = fc.record({
    last: fc.nat(5),
    someoneElse: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
  });
  return wish.map(({ last, someoneElse }) => ({
    text: `${someoneElse ? "somebody else" : "its player"} takes back call -${last + 1}`,
    possible: ({ calls }) => calls.length > last,
    inModel: (model) => {
      const call = model.calls.length - 1 - last;
      const owner = model.calls[call]?.player ?? 0;
      const player = someoneElse ? (owner + 1) % model.wallets.length : owner;
      return {
        reply: takeBack(model, { call, player }),
        inProduct: (world) =>
          cancelCall(world.deps, {
            viewer: { id: playerIdOf(world, player) },
            callId: world.calls[call]?.callId ?? 0,
          }),
      };
    },
  }));
}

function waiting(): fc.Arbitrary<Deed> {
  const waitMs = fc.oneof(
    { weight: 10, arbitrary: fc.integer({ min: 1, max: 30_000 }) },
    { weight: 1, arbitrary: fc.constant(DAY_MS + 1) },
  );
  return waitMs.map((ms) => wait(`${ms} ms pass`, () => ms));
}

/** To just before, at or just after what comes next for an event. */
function goingToAnEdge(): fc.Arbitrary<Deed> {
  const edge = fc.record({
    choice: eventChoice,
    byMs: fc.constantFrom(-5_001, -5_000, -4_999, -1, 0, 0, 1, 500),
  });
  return edge.map(({ choice, byMs }) =>
    wait(`to ${byMs} ms after what is next on ${choice.text}`, (model) => toEdgeMs(model, choice, byMs)),
  );
}

function toEdgeMs(model: Model, choice: EventChoice, byMs: number): number {
  const event = model.events[eventOf(model, choice, ["open", "visible", "draft"])];
  return Math.max(0, untilEdgeMs(model, event) + byMs);
}

function wait(text: string, howLong: (model: Model) => number): Deed {
  return {
    text,
    possible: () => true,
    inModel: (model) => {
      const ms = howLong(model);
      passTime(model, ms);
      return { reply: DONE, inProduct: (world) => runUntil(world, world.clock.nowMs() + ms) };
    },
  };
}

/** Time goes by and nothing rings: whoever comes now finds an event that should have closed. */
function comingLate(): fc.Arbitrary<Deed> {
  return fc
    .record({ choice: eventChoice, byMs: fc.integer({ min: 0, max: 3_000 }) })
    .map(({ choice, byMs }) => ({
      text: `the timers sleep until ${byMs} ms after what is next on ${choice.text}`,
      possible: () => true,
      inModel: (model) => {
        const ms = toEdgeMs(model, choice, byMs);
        Object.assign(model, { nowMs: model.nowMs + ms });
        return { reply: DONE, inProduct: ({ clock }) => clock.setMs(clock.nowMs() + ms) };
      },
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
        world.eventIds.push(id);
      },
    }),
  }));
}
