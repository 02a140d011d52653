import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import type { EventView } from "#src/show/events/schemas.ts";
import { findOnStage } from "./on-stage.ts";

/** Id of the stage's heading, which gets the focus when an event is chosen. */
export const STAGE_ID = "on-stage";

export type StageSelection = {
  /** The event on the stage; null if the session has no events. */
  onStage: EventView | null;
  /** What is on air, also while another event was chosen for the stage. */
  onAir: EventView | null;
  /** The event on the stage was chosen by the viewer; otherwise the stage follows the show. */
  chosen: boolean;
};

/** Link props that put an event on the stage; null: the one chosen by the show. No data is loaded. */
export function stageLink(eventId: number | null) {
  const search = eventId === null ? "" : stageSearch(eventId);
  return { to: { search }, defaultShouldRevalidate: false, preventScrollReset: true };
}

/** The end of the address that has an event on the stage. */
export function stageSearch(eventId: number): string {
  return `?event=${eventId}`;
}

/** The event on the stage: the one in the address (`?event=12`), else what is on air. */
export function useStage(events: readonly EventView[]): StageSelection {
  const [search] = useSearchParams();
  const chosen = events.find(({ id }) => String(id) === search.get("event"));
  const onAir = findOnStage(events);
  const followed = useFollowedEvent(events, onAir);
  return { onStage: chosen ?? followed, onAir, chosen: chosen !== undefined };
}

/** Follows the show, except while a dialog of the stage is open: it asks about the event that it was opened for. */
function useFollowedEvent(events: readonly EventView[], onAir: EventView | null): EventView | null {
  const nextId = onAir?.id ?? null;
  const [followedId, setFollowedId] = useState(nextId);
  useEffect(() => {
    const follow = () => {
      if (document.querySelector(".stage-col dialog[open]") === null) setFollowedId(nextId);
    };
    follow();
    document.addEventListener("close", follow, { capture: true });
    return () => document.removeEventListener("close", follow, { capture: true });
  }, [nextId]);
  return events.find(({ id }) => id === followedId) ?? onAir;
}
