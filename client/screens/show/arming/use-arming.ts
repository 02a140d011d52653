import { useCallback, useEffect, useState } from "react";
import type { EventView } from "#src/show/events/schemas.ts";
import type { ArmedAct } from "#src/show/hosting/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import {
  disabledReasonForAct,
  disabledReasonForMove,
  disabledReasonForRetiming,
} from "../disabled-reason.ts";
import { awaitsResult } from "../stage/on-stage.ts";
import { keyOf } from "../use-acting.ts";

/**
 * What is armed: it happens when it is confirmed, to this event, whatever comes on the stage meanwhile. `version` is that of the
 * event for which it is armed: the server refuses it for any other.
 */
export type Armed = { event: EventView; act: ArmedAct; version: number };

export type Arming = {
  /** Null: nothing is armed. */
  armed: Armed | null;
  /** The row of the tray that was chosen; null: none. */
  selected: EventView | null;
  /** The event that T, F and V act on: the armed one, else the chosen row, else the stage. */
  target: EventView | null;
  /** Why what was armed is armed no more; null: nothing to say, or it was said long enough. */
  news: News | null;
  /** How often others or the clock have ended what was armed or chosen: T, F and V then act on something else. */
  lost: number;
  /** Arms an act. It replaces what was armed. */
  arm: (event: EventView, act: ArmedAct) => void;
  disarm: () => void;
  /** What was armed is done: nothing is armed or chosen any more. */
  done: () => void;
  /** Chooses a row of the tray; null: none. What is armed is disarmed. */
  select: (event: EventView | null) => void;
};

/** The session as it is known, and the keys of the acts that are being sent. */
type Room = { session: SessionView; events: readonly EventView[]; busy: ReadonlySet<string> };

/** By the host or the time (`disarmed`), or by what has become of the event. */
export type Ended =
  | "disarmed"
  | "decided"
  | "takenBack"
  | "skipped"
  | "reset"
  | "gone"
  | "staked"
  | "stopped"
  | "changed";
/** The event of what was armed, and why it is over. */
export type News = { eventId: number; why: Ended };
/** Until then it has been read. Later it would be read under another event. */
const NEWS_SHOWN_MS = 10_000;
/** An armed act, bound to its event as it was. */
type Bound = { eventId: number; act: ArmedAct; version: number; decision: string };
type State = { bound: Bound | null; selectedId: number | null; ended: News | null; lost: number };
const nothing = { bound: null, selectedId: null, ended: null };

/**
 * What is armed, and which event T, F and V act on. What was overtaken is over: it does not come back when its event can be
 * decided again.
 */
export function useArming(room: Room, onStage: EventView | null): Arming {
  const [stored, setState] = useState<State>({ ...nothing, lost: 0 });
  const state = followRoom(stored, room);
  if (state !== stored) setState(state);
  const arm = useCallback((event: EventView, act: ArmedAct) => {
    const bound = { eventId: event.id, act, version: event.version, decision: decisionOf(event) };
    setState((last) => ({ ...last, bound, ended: null }));
  }, []);
  const disarm = useCallback(
    () =>
      setState((last) => {
        const { bound } = last;
        return bound === null
          ? last
          : { ...last, bound: null, ended: { eventId: bound.eventId, why: "disarmed" } };
      }),
    [],
  );
  useEffect(() => {
    if (state.ended === null) return undefined;
    const forget = (last: State) => (last.ended === state.ended ? { ...last, ended: null } : last);
    const timer = setTimeout(() => setState(forget), NEWS_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state.ended]);
  const done = useCallback(() => setState((last) => ({ ...last, ...nothing })), []);
  const select = useCallback(
    (event: EventView | null) => setState((last) => ({ ...last, ...nothing, selectedId: event?.id ?? null })),
    [],
  );
  const armed = armedIn(state, room);
  const selected = room.events.find(({ id }) => id === state.selectedId) ?? null;
  const target = armed?.event ?? selected ?? onStage;
  return { armed, selected, target, news: state.ended, lost: state.lost, arm, disarm, done, select };
}

/** The state after a change in the room: the same one if nothing was overtaken. */
function followRoom(state: State, room: Room): State {
  const { bound, selectedId } = state;
  // What comes of the viewer's own act is not the work of others; its answer ends what was armed.
  if (bound !== null && isSending(room, bound.eventId)) return state;
  const next = bound === null ? null : followEvent(bound, room);
  const chosenId = selectedId === null ? null : followChoice(selectedId, room);
  if (next === bound && chosenId === selectedId) return state;
  const isOvertaken = next === null && bound !== null;
  const isLost = isOvertaken || chosenId !== selectedId;
  return {
    bound: next,
    selectedId: chosenId,
    ended: isOvertaken ? { eventId: bound.eventId, why: endOf(bound, room) } : state.ended,
    lost: isLost ? state.lost + 1 : state.lost,
  };
}

/** A chosen row of the tray; null once it has left the tray. */
function followChoice(id: number, { events, session }: Room): number | null {
  const event = events.find((each) => each.id === id);
  return event !== undefined && awaitsResult(event, session) ? id : null;
}

/**
 * An armed act after a change of its event; null: it is over. One step that decides nothing, such as the close by the clock or a
 * delay, keeps it. Several steps at once may be a result that was given and taken back, or another round.
 */
function followEvent(bound: Bound, room: Room): Bound | null {
  const event = room.events.find(({ id }) => id === bound.eventId);
  if (event === undefined || decisionOf(event) !== bound.decision || !canStill(room, event, bound.act)) {
    return null;
  }
  if (event.version <= bound.version) return bound;
  return event.version === bound.version + 1 ? { ...bound, version: event.version } : null;
}

/** What has become of the event of an armed act, so that it is over. */
function endOf({ eventId, act, decision }: Bound, { events, session }: Room): Ended {
  const event = events.find(({ id }) => id === eventId);
  if (event === undefined) return "gone";
  if (event.state === "hidden") return "skipped";
  if (event.state === "draft") return "reset";
  if (decisionOf(event) !== decision) return isDecided(event) ? "decided" : "takenBack";
  if (act !== "skip" && disabledReasonForRetiming(session, event) !== null) return "staked";
  return session.state === "stopped" ? "stopped" : "changed";
}

function isDecided({ pendingResult, result, voided }: EventView): boolean {
  return pendingResult !== null || result !== null || voided;
}

function armedIn({ bound }: State, room: Room): Armed | null {
  const event = room.events.find(({ id }) => id === bound?.eventId);
  if (bound === null || event === undefined || decisionOf(event) !== bound.decision) return null;
  const { act, version } = bound;
  return canStill(room, event, act) ? { event, act, version } : null;
}

function canStill({ session }: Room, event: EventView, act: ArmedAct): boolean {
  const why =
    act === "skip"
      ? disabledReasonForAct(session, event, "skip")
      : disabledReasonForMove(session, event, "resolve");
  return why === null;
}

function isSending({ busy }: Room, eventId: number): boolean {
  return busy.has(keyOf("resolve", eventId)) || busy.has(keyOf("skip", eventId));
}

/** Differs after each decision on an event. */
function decisionOf({ plan, pendingResult, result, voided }: EventView): string {
  return `${plan?.decided?.at ?? ""} ${pendingResult} ${result} ${voided}`;
}
