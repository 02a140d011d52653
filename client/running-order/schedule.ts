import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { minutes } from "../base/format/countdown.ts";
import { startText } from "../blueprints/plan-times.ts";

const SECOND_MS = 1_000;

/** When an event opens and closes by the original plan, in milliseconds after the session's start. */
export type Slot = { opensInMs: number; closesInMs: number };

/**
 * The times that were planned before the start, by event id. Events that were added since are not in it, and neither are those
 * that wait for a result or for the host.
 * @param events in the order of their positions.
 */
export function originalPlan(session: SessionView, events: readonly EventView[]): Map<number, Slot> {
  const planned = new Map<number, Slot>();
  const beginsInMs = session.startLeadSeconds * SECOND_MS;
  let previousClosesInMs: number | null = beginsInMs;
  let isFirst = true;
  for (const { id, plan, durationSeconds, createdAt } of events) {
    const addedLater = session.startedAt !== null && createdAt > session.startedAt;
    if (plan === null || addedLater) continue;
    const fromMs: number | null = {
      after_previous: previousClosesInMs,
      offset: beginsInMs,
      after_result: isFirst ? beginsInMs : null,
      by_hand: null,
    }[plan.startMode];
    const slot: Slot | null =
      fromMs === null ? null : slotAt(fromMs + plan.offsetSeconds * SECOND_MS, durationSeconds);
    if (slot !== null) planned.set(id, slot);
    previousClosesInMs = slot === null ? null : slot.closesInMs;
    isFirst = false;
  }
  return planned;
}

function slotAt(opensInMs: number, durationSeconds: number): Slot {
  return { opensInMs, closesInMs: opensInMs + durationSeconds * SECOND_MS };
}

/** A session, its events in the order of their positions, and what was planned before the start. */
type PlannedShow = {
  session: SessionView;
  events: readonly EventView[];
  planned: ReadonlyMap<number, Slot>;
};

/** How an event starts whose time is not known yet: "by hand", "0:08 after result of 3"; null without such a plan. */
export function startWords(
  { session, events, planned }: PlannedShow,
  { id, state, opensAt, plan }: EventView,
): string | null {
  if (plan === null || opensAt !== null || !unopenedStates.includes(state)) return null;
  const isPending = session.state === "pending";
  if (isPending && planned.has(id)) return null;
  if (!isPending && plan.nextTransition === null && plan.startMode !== "by_hand") return null;
  const index = events.findIndex((event) => event.id === id);
  const before = events.slice(0, index).findLastIndex((event) => event.state !== "hidden");
  return startText(plan, before + 2);
}

/** How much later than planned an event opened, in milliseconds; negative if earlier. Null if it was not planned or has not opened. */
export function driftMs(
  session: SessionView,
  { openedAt }: EventView,
  slot: Slot | undefined,
): number | null {
  if (openedAt === null || session.startedAt === null || slot === undefined) return null;
  return Date.parse(openedAt) - Date.parse(session.startedAt) - slot.opensInMs;
}

/** The expected end of the show; of a paused one as it was at the pause. */
export type Outlook = {
  /** When the last planned event closes, ISO 8601; null while an event waits for a result or for the host. */
  endsAt: string | null;
  behindMs: number;
};

/** The expected end of the show; null if it is not running or no planned event is left. */
export function outlook(
  session: SessionView,
  events: readonly EventView[],
  planned: ReadonlyMap<number, Slot>,
): Outlook | null {
  if (session.startedAt === null || session.state === "stopped") return null;
  const last = events
    .filter(
      ({ id, closesAt, state }) => planned.has(id) && closesAt !== null && unclosedStates.includes(state),
    )
    .at(-1);
  const slot = last === undefined ? undefined : planned.get(last.id);
  if (last?.closesAt == null || slot === undefined) return null;
  const behindMs = Date.parse(last.closesAt) - Date.parse(session.startedAt) - slot.closesInMs;
  const isOpenEnded = events.some((event) => startWords({ session, events, planned }, event) !== null);
  return { endsAt: isOpenEnded ? null : last.closesAt, behindMs };
}

/**
 * For how long the session is paused, in whole seconds as milliseconds; 0 while it is not. Planned times stand meanwhile, and a
 * resume moves them by so much. So the caller adds it before it shows them.
 */
export function pausedForMs({ state, pausedAt }: SessionView, nowMs: number): number {
  if (state !== "paused" || pausedAt === null) return 0;
  return Math.max(0, Math.floor((nowMs - Date.parse(pausedAt)) / SECOND_MS)) * SECOND_MS;
}

export function laterBy({ endsAt, behindMs }: Outlook, pausedMs: number): Outlook {
  return { endsAt: endsAt === null ? null : moved(endsAt, pausedMs), behindMs: behindMs + pausedMs };
}

export function moved(at: string, byMs: number): string {
  return new Date(Date.parse(at) + byMs).toISOString();
}

/** States of events that are still to close. */
const unopenedStates: readonly EventView["state"][] = ["draft", "visible"];
const unclosedStates: readonly EventView["state"][] = [...unopenedStates, "open"];

/** "+0:04", "-1:20", "+0:00" */
export function formatDrift(ms: number): string {
  const rounded = Math.round(ms / SECOND_MS) * SECOND_MS;
  return `${rounded < 0 ? "-" : "+"}${minutes(Math.abs(rounded))}`;
}
