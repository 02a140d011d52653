import { and, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import type { EventState } from "#db/lists/events.ts";
import { calls } from "#db/schema/calls.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type FieldErrors, invalid } from "#src/base/refusal.ts";
import { requireVersion } from "#src/http/if-match.ts";
import { writeColumns } from "./move-event.ts";
import { checkWagers, readEventTerms } from "./read-event-terms.ts";
import { replan } from "./replan.ts";
import type { UpdateEventBody } from "./schemas.ts";
import { type EventCommand, type EventRow, type LockedEvent, withEvent } from "./with-event.ts";

type UpdateEvent = Omit<EventCommand, "version" | "lockTimeout"> & { changes: UpdateEventBody };

/** The states in which a field can change. Title and description always can, labels until the first call. */
const changeableIn = {
  opensAt: ["draft", "visible"],
  durationSeconds: ["draft", "visible", "open"],
  resolveWithinSeconds: ["draft", "visible", "open", "closed"],
  startMode: ["draft"],
  offsetSeconds: ["draft"],
  minWagerCents: ["draft"],
  maxWagerCents: ["draft"],
  autoResult: ["draft"],
} as const satisfies Record<string, readonly EventState[]>;
const wireNames: Record<string, string> = { minWagerCents: "minWager", maxWagerCents: "maxWager" };

/**
 * Changes the given fields of an event. After publishing only title, description and times can change, and the labels until
 * the first call. A field that is given with its current value changes nothing.
 * @throws Refusal 422 for a field that can no longer change, for times in the past, and for limits that no wager can meet;
 *   409 if the event has another version by now.
 */
export function updateEvent(deps: Deps, { changes, ...command }: UpdateEvent): Promise<EventRow> {
  return withEvent(deps, command, async (tx, locked) => {
    const { event } = locked;
    requireVersion({ ifVersion: changes.version }, event);
    const changed = changedIn(event, changes);
    if (Object.keys(changed).length === 0) return event;
    await requireChangeable(tx, locked, changed);
    checkWagers({ ...event, ...changed });
    return writeChanges(tx, locked, changed);
  });
}

/** The fields that are given and differ. */
export type EventChanges = Partial<EventRow>;

function changedIn(event: EventRow, { version: _version, ...changes }: UpdateEventBody): EventChanges {
  const given: Record<string, unknown> = readEventTerms(changes);
  const now: Record<string, unknown> = event;
  const differs = ([key, value]: [string, unknown]) =>
    value !== undefined && comparable(value) !== comparable(now[key]);
  return Object.fromEntries(Object.entries(given).filter(differs));
}

const comparable = (value: unknown) => (value instanceof Date ? value.getTime() : value);

async function requireChangeable(
  tx: Transaction,
  { event }: LockedEvent,
  changed: EventChanges,
): Promise<void> {
  const errors: FieldErrors = {};
  for (const [field, states] of Object.entries(changeableIn)) {
    const isFree = states.some((state) => state === event.state);
    if (Object.hasOwn(changed, field) && !isFree) errors[wireNames[field] ?? field] = ["is invalid"];
  }
  if (Object.keys(errors).length > 0) {
    throw invalid(errors, { detail: "It has been published: only texts and times to come change." });
  }
  const labels = (["trueLabel", "falseLabel"] as const).filter((field) => Object.hasOwn(changed, field));
  if (labels.length === 0 || !(await hasCalls(tx, event))) return;
  throw invalid(Object.fromEntries(labels.map((field) => [field, ["is invalid"]])), {
    detail: "Somebody has called: the labels stand.",
  });
}

async function hasCalls(tx: Transaction, { id, round }: EventRow): Promise<boolean> {
  const ofRound = and(eq(calls.eventId, id), eq(calls.round, round), ne(calls.state, "soft_destroyed"));
  return (await tx.$count(calls, ofRound)) > 0;
}

async function writeChanges(tx: Transaction, locked: LockedEvent, changed: EventChanges): Promise<EventRow> {
  const { event, actor } = locked;
  const updated = await writeColumns(tx, locked, { ...changed, ...replan(locked, changed) });
  const before: Record<string, unknown> = event;
  await writeAudit(tx, {
    actor,
    action: "update_event",
    subject: { type: "event", id: event.id },
    sessionId: event.sessionId,
    before: Object.fromEntries(Object.keys(changed).map((key) => [key, before[key]])),
    after: changed,
  });
  return updated;
}
