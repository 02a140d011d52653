import { and, eq, ne, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import type { EventResult, EventState } from "#db/lists/events.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { hasDependents, invalid, notFound, cannotTransitionVia } from "#src/base/refusal.ts";
import { allows } from "#src/http/contract.ts";
import type { IfVersion } from "#src/http/if-match.ts";
import { moveSpots } from "#src/play/spots/move-spots.ts";
import { closeEvent } from "./close-event.ts";
import { eventTransitions } from "./contract.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { openEvent, publishEvent } from "./open-event.ts";
import { resetEvent } from "./reset-event.ts";
import { resolveEvent, withdrawResult } from "./resolve-event.ts";
import type { ChangeStateBody } from "./schemas.ts";
import {
  type EventCommand,
  type EventRow,
  isLive,
  type LockedEvent,
  sessionTime,
  withEvent,
} from "./with-event.ts";

type StateChange = IfVersion & { eventId: number; actor: { id: number }; body: ChangeStateBody };

/** The transitions that a request can name. */
const verbs = {
  publish_event: publishEvent,
  open_event: openEvent,
  close_event: closeEvent,
  reset: (deps, command, { reason = null }) => resetEvent(deps, { ...command, reason }),
  hide: (deps, command, { reason = null }) => hideEvent(deps, { ...command, reason }),
  show: showHiddenEvent,
  withdraw: (deps, command, { reason = null }) => withdrawResult(deps, { ...command, reason }),
  resolve: (deps, command, { effectiveAt, reason = null, graceMs = 0, ...body }) =>
    resolveEvent(deps, {
      ...command,
      graceMs,
      result: resultOf(body),
      ...(effectiveAt === undefined ? {} : { effectiveAt }),
      reason,
    }),
} satisfies Record<string, (deps: Deps, command: EventCommand, body: ChangeStateBody) => Promise<EventRow>>;
type Name = keyof typeof verbs;

/**
 * Performs the transition that a request names (`stateEvent`), or the only one that leads to the state it names (`state`).
 * @throws Refusal 404 for an unknown event; 422 "is invalid" for an unknown name or an ambiguous state; what the verb refuses.
 */
export async function changeEventState(deps: Deps, change: StateChange): Promise<EventRow> {
  const { body, ...command } = change;
  return verbs[await nameOf(deps, change)](deps, command, body);
}

async function nameOf(deps: Deps, { eventId, body }: StateChange): Promise<Name> {
  const { stateEvent, state } = body;
  if (stateEvent !== undefined) {
    if (!isName(stateEvent)) throw invalid({ stateEvent: ["is invalid"] });
    return stateEvent;
  }
  if (state === undefined) throw invalid({ stateEvent: ["is required"] });
  const [row] = await deps.pool.db.select({ state: events.state }).from(events).where(eq(events.id, eventId));
  if (row === undefined) throw notFound();
  return nameLeadingTo(state, row.state);
}

/** The only transition to that state from the current state; if none is allowed from here, the only one to it at all. */
function nameLeadingTo(to: EventState, from: EventState): Name {
  const leading = Object.keys(verbs)
    .filter(isName)
    .filter((name) => eventTransitions[name].to === to && changesState(name));
  const fromHere = leading.filter((name) => eventTransitions[name].from.some((state) => state === from));
  const [only, another] = fromHere.length === 1 ? fromHere : leading;
  if (only === undefined || another !== undefined) throw invalid({ state: ["is invalid"] });
  return only;
}

/** False for `withdraw`, which keeps the state. */
function changesState(name: Name): boolean {
  const { from, to } = eventTransitions[name];
  return from.some((state) => state !== to);
}

function isName(name: string): name is Name {
  return Object.hasOwn(verbs, name);
}

function resultOf({ result }: Pick<ChangeStateBody, "result">): EventResult | null {
  if (typeof result === "boolean") return result ? "true" : "false";
  return result ?? null;
}

/**
 * Hides an event from players and clears its timers.
 * @throws Refusal 422 unless it is visible or resolved. Open and closed events are skipped instead, which refunds them.
 */
export function hideEvent(deps: Deps, command: EventCommand & { reason?: string | null }): Promise<EventRow> {
  return withEvent(deps, { ...command, changesOrder: true }, (tx, locked) => {
    requireTransition(locked, "hide");
    return moveEvent(tx, locked, "hide", {
      nextTransition: null,
      dueAt: null,
      reason: command.reason ?? null,
    });
  });
}

/**
 * Shows a hidden event again: as resolved if it has a result, otherwise as visible. A timer opens it if its planned opening
 * is in the future.
 */
export function showHiddenEvent(deps: Deps, command: EventCommand): Promise<EventRow> {
  return withEvent(deps, { ...command, changesOrder: true }, (tx, locked) => {
    requireTransition(locked, "show");
    if (locked.event.result !== null) {
      return moveEvent(tx, locked, "show", { state: "resolved", nextTransition: null, dueAt: null });
    }
    const opens = hasOpeningTimer(locked);
    return moveEvent(tx, locked, "show", {
      publishedAt: sql`coalesce(${events.publishedAt}, ${locked.at}::timestamptz)`,
      nextTransition: opens ? "open_event" : null,
      dueAt: opens ? sql`${events.opensAt}` : null,
    });
  });
}

function hasOpeningTimer(locked: LockedEvent): boolean {
  const { event, session } = locked;
  if (!isLive(session)) return false;
  return event.opensAt !== null && event.opensAt.getTime() > Date.parse(sessionTime(locked));
}

/**
 * Destroys an event and its spots: all requests for it then answer 404. The rows stay.
 * @throws Refusal 422 if it has calls, of any round, and unless it is a draft, visible or hidden.
 */
export function destroyEvent(deps: Deps, command: EventCommand): Promise<EventRow> {
  return withEvent(deps, { ...command, changesOrder: true }, async (tx, locked) => {
    if (await hasCalls(tx, locked)) throw hasDependents("calls");
    const { label } = eventTransitions.destroy;
    if (!allows(eventTransitions, "destroy", locked.event.state)) throw cannotTransitionVia(label);
    await moveSpots(tx, [locked.event.id], "hide");
    return moveEvent(tx, locked, "destroy", { nextTransition: null, dueAt: null });
  });
}

/** Calls that were cancelled, or refunded by a skip, are destroyed themselves and do not count. */
async function hasCalls(tx: Transaction, { event }: LockedEvent): Promise<boolean> {
  return (await tx.$count(calls, and(eq(calls.eventId, event.id), ne(calls.state, "soft_destroyed")))) > 0;
}
