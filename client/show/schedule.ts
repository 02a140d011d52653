import type { EventView } from "#src/events/schemas.ts";
import type { SessionView } from "#src/sessions/schemas.ts";
import { minutes } from "../ui/countdown.ts";

const SECOND_MS = 1_000;

/** When an event opens and closes by the original plan, in milliseconds after the session's start. */
export type Slot = { opensInMs: number; closesInMs: number };

/**
 * The times that were planned before the start, by event id. Events that were added since are not in it: they have no plan.
 * @param events in the order of their positions.
 */
export function originalPlan(session: SessionView, events: readonly EventView[]): Map<number, Slot> {
  const planned = new Map<number, Slot>();
  let previousClosesInMs = 0;
  for (const { id, plan, durationSeconds, createdAt } of events) {
    const addedLater = session.startedAt !== null && createdAt > session.startedAt;
    if (plan === null || addedLater) continue;
    const offsetMs = plan.offsetSeconds * SECOND_MS;
    const opensInMs = plan.startMode === "offset" ? offsetMs : previousClosesInMs + offsetMs;
    previousClosesInMs = opensInMs + durationSeconds * SECOND_MS;
    planned.set(id, { opensInMs, closesInMs: previousClosesInMs });
  }
  return planned;
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

/** The expected end of the show. */
export type Outlook = {
  /** When the last planned event closes, ISO 8601. */
  endsAt: string;
  /** How much later than originally planned. */
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
  return { endsAt: last.closesAt, behindMs };
}

/** States of events that are still to close. */
const unclosedStates: readonly EventView["state"][] = ["draft", "visible", "open"];

/** "+0:04", "-1:20", "+0:00" */
export function formatDrift(ms: number): string {
  const rounded = Math.round(ms / SECOND_MS) * SECOND_MS;
  return `${rounded < 0 ? "-" : "+"}${minutes(Math.abs(rounded))}`;
}
