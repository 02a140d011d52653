import { and, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import type { EventState } from "#db/lists/events.ts";
import { calls } from "#db/schema/calls.ts";
import type { Deps } from "#src/base/deps.ts";
import { type FieldErrors, invalid } from "#src/base/refusal.ts";
import { requireVersion } from "#src/http/if-match.ts";
import { requireNoStake } from "#src/play/calls/require-no-stake.ts";
import { announceNext, planNext, writeColumns, writeUpdateFacts } from "./move-event.ts";
import { attachPictures, type Pictures, storePictures } from "./question-picture.ts";
import { checkTerms, readEventTerms } from "./read-event-terms.ts";
import { unplanFollowing, changesStart, durationUntil, followsAnother, replan } from "./schedule.ts";
import type { UpdateEventBody } from "./schemas.ts";
import {
  auditEvent,
  type EventCommand,
  type EventRow,
  isLive,
  type LockedEvent,
  withEvent,
} from "./with-event.ts";

type UpdateEvent = Omit<EventCommand, "version" | "lockTimeout"> & { changes: UpdateEventBody };

/** The states in which a field can change. Texts can until the first call. */
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
/** What players have called on. */
const textFields = ["title", "description", "trueLabel", "falseLabel", "picture"] as const;
/** What the times of an event come from. */
const timeFields = ["opensAt", "durationSeconds", "resolveWithinSeconds"] as const;
const wireNames: Record<string, string> = { minWagerCents: "minWager", maxWagerCents: "maxWager" };

/**
 * Changes the given fields of an event. After publishing only the times can change, and the texts until the first call: what
 * players have called on stays what it was. A field that is given with its current value changes nothing. In a session that has started, a new start mode or
 * wait plans a draft again: it gets its time when the event before it has its close or its result, or from the host. So do the
 * events that follow it. A start mode that is given to a draft outside the plan makes it part of it.
 * @throws Refusal 422 for a field that can no longer change, for times in the past, and for limits that no wager can meet;
 *   403 for times, by an actor who has a call on the event; 409 if the event has another version by now.
 */
export async function updateEvent(deps: Deps, { changes, ...command }: UpdateEvent): Promise<EventRow> {
  const { startMode, offsetSeconds, opensAt } = changes;
  const changesOrder = [startMode, offsetSeconds, opensAt].some((field) => field !== undefined);
  const pictures = await storePictures(deps, command.actor, [changes]);
  return withEvent(deps, { ...command, changesOrder }, async (tx, locked) => {
    const { event } = locked;
    requireVersion({ ifVersion: changes.version }, event);
    const changed = changedIn(locked, changes, pictures);
    if (Object.keys(changed).length === 0) return event;
    await requireChangeable(tx, locked, changed);
    checkTerms(changed, event);
    const updated = await writeChanges(tx, locked, changed);
    await attachPictures(tx, pictures);
    if (!changesOrder) return updated;
    if (changesStart(locked, changed)) await writeUpdateFacts(tx, await unplanFollowing(tx, locked));
    await planNext(tx, locked, null);
    await announceNext(tx, locked);
    return locked.planned.find(({ id }) => id === updated.id) ?? updated;
  });
}

export type EventChanges = Partial<EventRow>;

function changedIn(
  locked: LockedEvent,
  { version: _version, closesAt, ...changes }: UpdateEventBody,
  pictures: Pictures,
): EventChanges {
  const given: Record<string, unknown> = readEventTerms(changes, pictures, locked.event);
  if (closesAt !== undefined)
    given["durationSeconds"] = durationUntil(closesAt, changes.opensAt ?? locked.event.opensAt);
  const now: Record<string, unknown> = { ...locked.event, ...(isOutsidePlan(locked) && { startMode: null }) };
  const differs = ([key, value]: [string, unknown]) =>
    value !== undefined && comparable(value) !== comparable(now[key]);
  return Object.fromEntries(Object.entries(given).filter(differs));
}

/** True for a draft that was added to a live session without a start mode: it opens when the host says. */
function isOutsidePlan({ event, session }: LockedEvent): boolean {
  const { state, nextTransition, opensAt } = event;
  const hasNoTime = nextTransition === null && opensAt === null;
  return state === "draft" && hasNoTime && isLive(session) && followsAnother(event);
}

const comparable = (value: unknown) => (value instanceof Date ? value.getTime() : value);

async function requireChangeable(tx: Transaction, locked: LockedEvent, changed: EventChanges): Promise<void> {
  const { event } = locked;
  const errors: FieldErrors = {};
  for (const [field, states] of Object.entries(changeableIn)) {
    const isFree = states.some((state) => state === event.state);
    if (Object.hasOwn(changed, field) && !isFree) errors[wireNames[field] ?? field] = ["is invalid"];
  }
  if (Object.keys(errors).length > 0) {
    throw invalid(errors, { detail: "It has been published: only texts and times to come change." });
  }
  if (timeFields.some((field) => Object.hasOwn(changed, field))) {
    await requireNoStake(tx, locked, "change its times");
  }
  const asked = textFields.filter((field) => Object.hasOwn(changed, field));
  if (asked.length === 0 || !(await hasCalls(tx, event))) return;
  throw invalid(Object.fromEntries(asked.map((field) => [field, ["is invalid"]])), {
    detail: "Somebody has called: the question and its labels stand.",
  });
}

/** True for an event with calls of its round, in whatever state but those that were taken back. */
export async function hasCalls(tx: Transaction, { id, round }: EventRow): Promise<boolean> {
  const ofRound = and(eq(calls.eventId, id), eq(calls.round, round), ne(calls.state, "soft_destroyed"));
  return (await tx.$count(calls, ofRound)) > 0;
}

async function writeChanges(tx: Transaction, locked: LockedEvent, changed: EventChanges): Promise<EventRow> {
  const updated = await writeColumns(tx, locked, { ...changed, ...replan(locked, changed) });
  const before: Record<string, unknown> = locked.event;
  await auditEvent(tx, locked, {
    action: "update_event",
    before: Object.fromEntries(Object.keys(changed).map((key) => [key, before[key]])),
    after: changed,
  });
  return updated;
}
