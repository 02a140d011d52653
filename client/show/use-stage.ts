import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import type { EventView } from "#src/events/schemas.ts";
import { findOnStage } from "./on-stage.ts";

/** Where a link to an event of the running order leads, and where the focus goes. */
export const STAGE_ID = "on-stage";

type Stage = { onStage: EventView | null; chosen: boolean };

/** A link to an event of the running order; null: to the one that the show is about. It asks the server for nothing. */
export function stageLink(eventId: number | null) {
  const search = eventId === null ? "" : `?event=${eventId}`;
  return { to: { search }, defaultShouldRevalidate: false, preventScrollReset: true };
}

/** Which event is looked at: the one that the address names (`?event=12`), else the one that the show is about. */
export function useStage(events: readonly EventView[]): Stage {
  const [search] = useSearchParams();
  const chosen = events.find(({ id }) => String(id) === search.get("event"));
  const followed = useFollowed(events);
  return { onStage: chosen ?? followed, chosen: chosen !== undefined };
}

/** Follows the show, but never under the hand: while a question is open the stage stays as it is. */
function useFollowed(events: readonly EventView[]): EventView | null {
  const nextId = findOnStage(events)?.id ?? null;
  const [shownId, setShownId] = useState(nextId);
  useEffect(() => {
    const follow = () => {
      if (document.querySelector("dialog[open]") === null) setShownId(nextId);
    };
    follow();
    document.addEventListener("close", follow, { capture: true });
    return () => document.removeEventListener("close", follow, { capture: true });
  }, [nextId]);
  return events.find(({ id }) => id === shownId) ?? findOnStage(events);
}
