import { useCallback, useState } from "react";
import type { EventView } from "#src/events/schemas.ts";
import type { ArmedAct } from "#src/hosting/contract.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { awaitsResult } from "../stage/on-stage.ts";
import { keyOf } from "../use-acting.ts";
import { whyNotAct, whyNotMove } from "../why-not.ts";

/** What is armed: it happens when it is confirmed, to this event, whatever comes on the stage meanwhile. */
export type Armed = { event: EventView; act: ArmedAct };

export type Arming = {
  /** Null: nothing is armed. */
  armed: Armed | null;
  /** The row of the tray that was chosen; null: none. */
  selected: EventView | null;
  /** The event that T, F and V act on: the armed one, else the chosen row, else the stage. */
  target: EventView | null;
  /** Why nothing is armed any more: disarmed, or its event was decided or has left the show; null: nothing to say. */
  news: "disarmed" | "overtaken" | null;
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

type State = {
  armed: { eventId: number; act: ArmedAct; decision: string } | null;
  selectedId: number | null;
  disarmed: boolean;
};
const nothing: State = { armed: null, selectedId: null, disarmed: false };

/** What is armed, and which event T, F and V act on. Nothing is armed any more once its event was decided by somebody else. */
export function useArming({ session, events, busy }: Room, onStage: EventView | null): Arming {
  const [{ armed: stored, selectedId, disarmed }, setState] = useState(nothing);
  const armed = stillArmed(session, events, stored);
  const chosen = events.find(({ id }) => id === selectedId);
  const selected = chosen !== undefined && awaitsResult(chosen, session) ? chosen : null;
  const arm = useCallback((event: EventView, act: ArmedAct) => {
    const decision = decisionOf(event);
    setState((state) => ({ ...state, armed: { eventId: event.id, act, decision }, disarmed: false }));
  }, []);
  const disarm = useCallback(() => setState((state) => ({ ...state, armed: null, disarmed: true })), []);
  const done = useCallback(() => setState(nothing), []);
  const select = useCallback(
    (event: EventView | null) => setState({ ...nothing, selectedId: event?.id ?? null }),
    [],
  );
  const target = armed?.event ?? selected ?? onStage;
  const ended = disarmed ? "disarmed" : null;
  const overtaken = stored !== null && armed === null && !isSending(busy, stored.eventId);
  const news = overtaken ? "overtaken" : ended;
  return { armed, selected, target, news, arm, disarm, done, select };
}

function stillArmed(
  session: SessionView,
  events: readonly EventView[],
  stored: State["armed"],
): Armed | null {
  const event = events.find(({ id }) => id === stored?.eventId);
  if (event === undefined || stored === null || decisionOf(event) !== stored.decision) return null;
  const { act } = stored;
  const why = act === "skip" ? whyNotAct(session, event, "skip") : whyNotMove(session, event, "resolve");
  return why === null ? { event, act } : null;
}

/** What the viewer has just fired has decided the event: nobody else has. */
function isSending(busy: ReadonlySet<string>, eventId: number): boolean {
  return busy.has(keyOf("resolve", eventId)) || busy.has(keyOf("skip", eventId));
}

/** Differs after each decision on an event. */
function decisionOf({ plan, pendingResult, result, voided }: EventView): string {
  return `${plan?.decided?.at ?? ""} ${pendingResult} ${result} ${voided}`;
}
