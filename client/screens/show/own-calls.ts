import { useServerTime } from "#client/base/live/clock.ts";
import { activeCallStates, whyNotCancel } from "#src/play/calls/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { useShow } from "./show-context.ts";

/** Calls of the viewer that come back with an act. */
type OwnCalls = { callsCount: number; cents: number };

/** What a skip of this event gives back to the viewer. */
export function heldOn({ myCalls }: EventView): OwnCalls {
  return sumOf(myCalls.filter(({ state }) => activeCallStates.includes(state)));
}

/**
 * What Pause and Stop give back to the viewer: the own calls on open events, as far as a player may take back a call
 * (src/play/calls/take-back-own-calls.ts). None in a small room.
 */
export function takenBackAt(
  { settings, pausedAt }: Pick<SessionView, "settings" | "pausedAt">,
  events: readonly EventView[],
  nowMs: number,
): OwnCalls {
  if (settings.smallRoom) return sumOf([]);
  const times = { pausedAtMs: pausedAt === null ? null : Date.parse(pausedAt), nowMs };
  const calls = events.flatMap(({ state: eventState, closesAt, myCalls }) => {
    const closesAtMs = closesAt === null ? null : Date.parse(closesAt);
    return myCalls.filter(({ state, placedAt }) => {
      const placedAtMs = Date.parse(placedAt);
      return whyNotCancel({ state, eventState, placedAtMs, closesAtMs, ...times }) === null;
    });
  });
  return sumOf(calls);
}

export function useTakenBack(): OwnCalls {
  const { session, events, renderedAt } = useShow();
  const callsCount = useServerTime((nowMs) => takenBackAt(session, events, nowMs).callsCount, renderedAt);
  const cents = useServerTime((nowMs) => takenBackAt(session, events, nowMs).cents, renderedAt);
  return { callsCount, cents };
}

function sumOf(calls: readonly CallView[]): OwnCalls {
  return { callsCount: calls.length, cents: calls.reduce((sum, { wagerCents }) => sum + wagerCents, 0) };
}
