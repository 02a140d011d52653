import { isBesideOrder } from "#db/lists/limits.ts";
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

/** The number of an event in the running order. */
export function numberOf(events: readonly EventView[], { id }: Pick<EventView, "id">): number {
  return events.findIndex((event) => event.id === id) + 1;
}
