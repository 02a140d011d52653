import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import type { EventView } from "#src/events/schemas.ts";
import { findOnStage } from "./on-stage.ts";

/** Id of the stage's heading, which gets the focus when an event is chosen. */
export const STAGE_ID = "on-stage";

type StageSelection = { onStage: EventView | null; chosen: boolean };

/** Link props that put an event on the stage; null: the one chosen by the show. No data is loaded. */
export function stageLink(eventId: number | null) {
  const search = eventId === null ? "" : stageSearch(eventId);
  return { to: { search }, defaultShouldRevalidate: false, preventScrollReset: true };
}

/** The end of the address that has an event on the stage. */
export function stageSearch(eventId: number): string {
  return `?event=${eventId}`;
}

/** The event on the stage: the one in the address (`?event=12`), else the one that the show is about. */
export function useStage(events: readonly EventView[]): StageSelection {
  const [search] = useSearchParams();
  const chosen = events.find(({ id }) => String(id) === search.get("event"));
  const followed = useFollowedEvent(events);
  return { onStage: chosen ?? followed, chosen: chosen !== undefined };
}

/** Follows the show, except while a dialog is open: then the stage does not change. */
function useFollowedEvent(events: readonly EventView[]): EventView | null {
  const nextId = findOnStage(events)?.id ?? null;
  const [followedId, setFollowedId] = useState(nextId);
  useEffect(() => {
    const follow = () => {
      if (document.querySelector("dialog[open]") === null) setFollowedId(nextId);
    };
    follow();
    document.addEventListener("close", follow, { capture: true });
    return () => document.removeEventListener("close", follow, { capture: true });
  }, [nextId]);
  return events.find(({ id }) => id === followedId) ?? findOnStage(events);
}
