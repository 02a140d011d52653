import { createContext, useContext } from "react";
import type { EventView } from "#src/events/schemas.ts";
import type { Board } from "./board.ts";
import type { Outlook, Slot } from "./schedule.ts";
import type { Acting } from "./use-acting.ts";

/** What all pieces of the Admin tab read. */
export type Show = Pick<Board, "session" | "events" | "audit" | "seenAt"> & {
  /** When the page was written; until it is awake all times start from it. */
  renderedAt: string;
  /** The running order as it was planned before the start. */
  planned: ReadonlyMap<number, Slot>;
  /** Null while none is running, and when nothing is left of it. */
  outlook: Outlook | null;
  /** The event that is looked at; null where the session has none. */
  onStage: EventView | null;
  /** It was chosen by hand; otherwise the stage follows the show. */
  chosen: boolean;
  acting: Acting;
};

export const ShowContext = createContext<Show | null>(null);

export function useShow(): Show {
  const show = useContext(ShowContext);
  if (show === null) throw new Error("A piece of the Admin tab stands outside it.");
  return show;
}
