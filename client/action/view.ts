import { createContext, useContext } from "react";
import type { EventView } from "#src/events/schemas.ts";
import type { ActionData } from "./load-action.ts";
import type { Phase } from "./scene.ts";
import type { Standing } from "./standing.ts";
import type { Table } from "./table.ts";
import type { Placing } from "./use-placing.ts";
import type { Wager } from "./use-wager.ts";

/** What all pieces of the Action screen read. */
export type View = {
  table: Table;
  data: ActionData;
  event: EventView | null;
  phase: Phase;
  /** The link is down: what is shown is the last that was heard. */
  offline: boolean;
  /** Nobody is signed in: there is only something to see. */
  watching: boolean;
  /** Calls are taken now, and from this viewer. */
  playable: boolean;
  standing: Standing | null;
  placing: Placing;
  wager: Wager;
};

export const ViewContext = createContext<View | null>(null);

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === null) throw new Error("A piece of the Action screen stands outside it.");
  return view;
}
