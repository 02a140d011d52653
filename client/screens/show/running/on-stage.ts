import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { formatCount } from "#client/base/format/count.ts";
import type { EventResult } from "#db/lists/events.ts";
import { isBesideOrder } from "#db/lists/limits.ts";
import { SMALL_SETTLEMENT_MAX } from "#src/play/settlements/contract.ts";
import { UNDO_WITHIN_MS } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/**
 * Chooses the event for the stage: what is on air. It is the open event that closes first, as on the players' card; else the
 * event that was opened last, until it is decided; else the next one; else an older one without a result, or the last. Older
 * events without a result never take the stage from the show: they are in the tray. What is open for days comes when all else is over.
 * @param events in the order of their positions.
 */
export function findOnStage(events: readonly EventView[]): EventView | null {
  const found = chooseAmong(events.filter((event) => !isBesideOrder(event)));
  if (found !== null && found.state !== "resolved") return found;
  return chooseAmong(events.filter(isBesideOrder)) ?? found;
}

function chooseAmong(events: readonly EventView[]): EventView | null {
  const inState = (state: EventView["state"]) => events.filter((event) => event.state === state);
  const [open] = inState("open").toSorted((one, other) => timeOf(one.closesAt) - timeOf(other.closesAt));
  if (open !== undefined) return open;
  const [lastOpened] = events.filter(hasOpened).toSorted(lateOpeningFirst);
  if (lastOpened?.state === "closed") return lastOpened;
  const [visible] = inState("visible").toSorted((one, other) => timeOf(one.opensAt) - timeOf(other.opensAt));
  const [closed] = inState("closed").toSorted(lateOpeningFirst);
  return visible ?? inState("draft")[0] ?? closed ?? lastOpened ?? events.at(-1) ?? null;
}

function hasOpened({ state }: EventView): boolean {
  return state === "closed" || state === "resolved";
}

function lateOpeningFirst(one: EventView, other: EventView): number {
  const openedMs = ({ openedAt }: EventView) => Date.parse(openedAt ?? "") || 0;
  return openedMs(other) - openedMs(one) || other.position - one.position;
}

/** No time is later than any other. */
function timeOf(moment: string | null): number {
  return moment === null ? Number.MAX_SAFE_INTEGER : Date.parse(moment);
}

/** Closed without a result, and nothing but an operator sets one. */
export function awaitsResult(event: EventView, session: Pick<SessionView, "settings">): boolean {
  const { state, plan, pendingResult } = event;
  if (state !== "closed" || pendingResult !== null || plan?.autoResult !== null) return false;
  return !voidsItself(event, session);
}

/** Closed, and voided by its timer, because nobody has called it. */
export function voidsItself(
  { state, plan, pendingResult, callsCount }: EventView,
  { settings }: Pick<SessionView, "settings">,
): boolean {
  if (!settings.voidUncalled || callsCount > 0) return false;
  return state === "closed" && pendingResult === null && plan?.nextTransition === "resolve";
}

/** The events that wait for an operator's result, the one that was closed first at the top. */
export function listWaiting(
  events: readonly EventView[],
  session: Pick<SessionView, "settings">,
): readonly EventView[] {
  return events
    .filter((event) => awaitsResult(event, session))
    .toSorted((one, other) => timeOf(one.closedAt) - timeOf(other.closedAt) || one.position - other.position);
}

/** Not opened yet, so that its position may still change. */
export function isAhead({ state }: EventView): boolean {
  return state === "draft" || state === "visible";
}

export function numberOf(events: readonly EventView[], { id }: Pick<EventView, "id">): number {
  return events.findIndex((event) => event.id === id) + 1;
}

/** Id of the stage's heading, which gets the focus when an event is chosen. */
export const STAGE_ID = "on-stage";

export type StageSelection = {
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

/**
 * The ids of the events whose result can be undone, the newest decision first: every pending result, and for some seconds each
 * result that the viewer decided.
 */
export function listUndoable(
  events: readonly EventView[],
  { viewerId, nowMs }: { viewerId: number | undefined; nowMs: number },
): number[] {
  return events
    .filter((event) => event.pendingResult !== null || isFreeToCorrect(event, { viewerId, nowMs }))
    .toSorted((one, other) => decidedMs(other) - decidedMs(one))
    .map(({ id }) => id);
}

/** True while the viewer may correct the paid result without a reason. */
export function isFreeToCorrect(
  event: EventView,
  { viewerId, nowMs }: { viewerId: number | undefined; nowMs: number },
): boolean {
  const { state, plan } = event;
  if (state !== "resolved" || plan?.decided?.byId !== viewerId) return false;
  return nowMs < decidedMs(event) + UNDO_WITHIN_MS;
}

/** When the result was decided, in ms since 1970; 0 without one. */
export function decidedMs({ plan }: EventView): number {
  return Date.parse(plan?.decided?.at ?? "") || 0;
}

/** The result, pending or not; null while the event is undecided. */
export function decidedResult({ pendingResult, result, voided }: EventView): EventResult | null {
  const decided = voided ? "void" : (pendingResult ?? result);
  if (typeof decided !== "boolean") return decided;
  return decided ? "true" : "false";
}

/** "Paying 35,000 of 100,000" while a result with many calls is being paid, else null: a small one is paid at once. */
export function payingText({ plan }: EventView): string | null {
  if (plan?.paying == null) return null;
  const { paidCallsCount, callsCount } = plan.paying;
  if (callsCount <= SMALL_SETTLEMENT_MAX) return null;
  return `Paying ${formatCount(paidCallsCount)} of ${formatCount(callsCount)}`;
}
