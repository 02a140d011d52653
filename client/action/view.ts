import { createContext, useContext } from "react";
import type { EventView } from "#src/events/schemas.ts";
import type { ActionState } from "./action-state.ts";
import type { Phase } from "./current-event.ts";
import type { ActionData } from "./load-action.ts";
import type { Placing } from "./use-placing.ts";
import type { Wager } from "./use-wager.ts";
import type { ViewerCalls } from "./viewer-calls.ts";

/** What the components of the Action screen read. */
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
  /** Calls are taken now, and this viewer may place them. */
  playable: boolean;
  viewerCalls: ViewerCalls | null;
  placing: Placing;
  wager: Wager;
};

export const ViewContext = createContext<View | null>(null);

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === null) throw new Error("useView was called outside the Action screen.");
  return view;
}
