import { useCallback, useEffect, useState, type RefObject } from "react";
import { readStored, store } from "#client/base/browser/storage.ts";
import { useAfter } from "#client/base/browser/use-after.ts";
import { serverNow, useServerTime } from "#client/base/live/clock.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { ArmedAct } from "#src/show/hosting/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { disabledReasonForArming, disabledReasonForRetiming } from "./disabled-reason.ts";
import { awaitsResult } from "./on-stage.ts";
import { keyOf, type Acting } from "./use-acting.ts";

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
  /** This is done: nothing is armed or chosen any more, but for what was armed meanwhile. */
  done: (armed: Armed) => void;
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
  useAfter(NEWS_SHOWN_MS, state.ended, () => setState((last) => ({ ...last, ended: null })));
  const done = useCallback(
    ({ event, act }: Armed) =>
      setState((last) => {
        const { bound } = last;
        const isAnother = bound !== null && (bound.eventId !== event.id || bound.act !== act);
        return isAnother ? last : { ...last, ...nothing };
      }),
    [],
  );
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
  return disabledReasonForArming(session, event, act) === null;
}

function isSending({ busy }: Room, eventId: number): boolean {
  return busy.has(keyOf("resolve", eventId)) || busy.has(keyOf("skip", eventId));
}

/** Differs after each decision on an event. */
function decisionOf({ plan, pendingResult, result, voided }: EventView): string {
  return `${plan?.decided?.at ?? ""} ${pendingResult} ${result} ${voided}`;
}

const STAYS_KEY = "armed";

/** True where the host has set that what is armed stays so until it is done or disarmed. */
export const doesArmedStay = () => readStored(STAYS_KEY) === "stays";

/** Sets it for this device; without storage the time goes on. */
export const letArmedStay = (stays: boolean) => store(STAYS_KEY, stays ? "stays" : null);

/**
 * What is armed disarms by itself after so long in which nobody uses its form: no key, no click, no move of the pointer, and neither the
 * focus on a part of it nor the pointer over it. Who reads the form does not lose it.
 */
export const DISARM_AFTER_MS = 8_000;
/** What restarts the time. */
const usingIt = [
  "keydown",
  "input",
  "pointerdown",
  "pointermove",
  "pointerleave",
  "focusin",
  "focusout",
] as const;

type FuseOptions = {
  disarm: () => void;
  renderedAt: string;
  /** The act is being sent: it stays armed meanwhile. */
  isHeld?: boolean;
};

/**
 * Calls `disarm` when the form was not used for so long.
 * @param inside the form, or the element around it.
 * @returns the seconds that are left; null while it stays armed.
 */
export function useArmingCountdown(
  inside: RefObject<HTMLElement | null>,
  { disarm, renderedAt, isHeld = false }: FuseOptions,
): number | null {
  const [doesStay] = useState(doesArmedStay);
  const { untilMs, isInUse } = useUse(inside, isHeld);
  const stays = doesStay || isHeld || isInUse;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(disarm, untilMs - serverNow());
    return () => clearTimeout(timer);
  }, [stays, untilMs, disarm]);
  const leftS = useServerTime((nowMs) => Math.max(0, Math.ceil((untilMs - nowMs) / 1_000)), renderedAt);
  return stays ? null : leftS;
}

/** When the time ends unless somebody uses the form until then, and whether somebody is in it now. */
function useUse(
  inside: RefObject<HTMLElement | null>,
  isHeld: boolean,
): { untilMs: number; isInUse: boolean } {
  const [use, setUse] = useState(() => ({ untilMs: serverNow() + DISARM_AFTER_MS, isInUse: false }));
  const [wasHeld, setWasHeld] = useState(isHeld);
  if (wasHeld !== isHeld) {
    setWasHeld(isHeld);
    // It was sent without success: the whole time is left.
    setUse({ ...use, untilMs: serverNow() + DISARM_AFTER_MS });
  }
  useEffect(() => {
    const element = inside.current;
    let isPointed = false;
    const follow = (event: Event) => {
      // A form that appears under a pointer at rest is not pointed at.
      if (event instanceof PointerEvent && event.type === "pointermove")
        isPointed ||= event.movementX !== 0 || event.movementY !== 0;
      if (event.type === "pointerleave") isPointed = false;
      const focused =
        event instanceof FocusEvent && event.type === "focusout"
          ? event.relatedTarget
          : document.activeElement;
      // The form itself has the focus from the moment on at which it was armed.
      const isFocused = focused instanceof Node && focused !== element && element?.contains(focused) === true;
      setUse({ untilMs: serverNow() + DISARM_AFTER_MS, isInUse: isPointed || isFocused });
    };
    for (const name of usingIt) element?.addEventListener(name, follow);
    return () => {
      for (const name of usingIt) element?.removeEventListener(name, follow);
    };
  }, [inside]);
  return use;
}

/** A result that is taken back before its answer is there: U counts from the Enter on. */
export type EarlyUndo = {
  /** The event whose result is taken back as soon as the page knows that it waits to be paid; null: none. */
  wantedId: number | null;
  /** The event whose result was paid before it could be taken back; null: none. */
  lateId: number | null;
  want: (event: EventView) => void;
};

const NOTHING_WANTED = { wantedId: null, lateId: null };

/** Takes a result back once its answer has arrived, or once the page knows what became of a request without an answer. */
export function useEarlyUndo(
  { events, viewerId }: { events: readonly EventView[]; viewerId: number | undefined },
  { act, busy, refusal, isUnanswered }: Acting,
): EarlyUndo {
  const [state, setState] = useState<Pick<EarlyUndo, "wantedId" | "lateId">>(NOTHING_WANTED);
  const { wantedId } = state;
  const wanted = events.find(({ id }) => id === wantedId) ?? null;
  const isKnown = wanted !== null && !isUnanswered && !busy.has(keyOf("resolve", wanted.id));
  // Another host may have been first: what that host has decided stays.
  const isOwn = refusal === null && wanted?.plan?.decided?.byId === viewerId;
  useEffect(() => {
    if (wanted === null || !isKnown) return;
    const finish = async () => {
      const isLate = wanted.state === "resolved" && refusal === null;
      setState(isLate ? { wantedId: null, lateId: wanted.id } : NOTHING_WANTED);
      if (isOwn && wanted.pendingResult !== null) await act(withdrawalOf(wanted));
    };
    void finish();
  }, [wanted, isKnown, isOwn, refusal, act]);
  const want = useCallback(({ id }: EventView) => setState({ wantedId: id, lateId: null }), []);
  return { ...state, want };
}

function withdrawalOf({ id, version, plan }: EventView): FormData {
  const form = new FormData();
  form.set("intent", "withdraw");
  form.set("event_id", String(id));
  form.set("version", String(version));
  form.set("decided_at", plan?.decided?.at ?? "");
  return form;
}
