import { requiredContext } from "#client/base/page/required-context.ts";
import type { ViewerCalls } from "#client/calls/viewer-calls.ts";
import type { Side } from "#db/lists/spots.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { ActionState, Withdrawn } from "./action-state.ts";
import type { Phase } from "./current-event.ts";
import type { KnownCall } from "./known-calls.ts";
import type { ActionData } from "./load-action.ts";
import type { Placing } from "./use-placing.ts";

export type View = {
  state: ActionState;
  data: ActionData;
  event: EventView | null;
  phase: Phase;
  /** Disconnected: the screen shows the last known state. */
  offline: boolean;
  /** Disconnected until the page is loaded again. */
  refused: boolean;
  /** Signed out: the viewer can only watch. */
  watching: boolean;
  /** Until when the viewer is on a break; null for none. */
  breakUntil: string | null;
  /** Calls are taken now, and this viewer may place them. */
  playable: boolean;
  /** The question came by itself a moment ago: nobody can have read it, so the sides take nothing. */
  unread: boolean;
  /** Behind a stream delay: calls really close earlier than the card shows. Otherwise empty. */
  closeWarning: string;
  viewerCalls: ViewerCalls | null;
  placing: Placing;
  /** Shows again what this device has seen go before the page was loaded. */
  recall: (withdrawn: Withdrawn, ownCalls: readonly KnownCall[]) => void;
};

export type ActionHandlers = {
  /** A press on the sides begins. */
  aim: () => void;
  /** Places a call on a side; on one that is called already only to `add` to it. */
  call: (side: Side, add?: boolean) => void;
  setWager: (cents: number) => void;
  stepWager: (direction: 1 | -1) => void;
  wagerAll: () => void;
  refuse: (reason: string) => void;
};

export const [ViewContext, useView] = requiredContext<View>();
/** Apart from the view: the handlers never change, so what only reads them is not rendered again with each view. */
export const [HandlersContext, useHandlers] = requiredContext<ActionHandlers>();

/** The ranking with the result on the card is known: an earlier one must not be told again. */
export function isRankKnown({ event, phase, state }: Pick<View, "event" | "phase" | "state">): boolean {
  return phase === "resolved" && Date.parse(state.meAsOf) >= Date.parse(event?.resolvedAt ?? "");
}
