import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { activeCallStates } from "#src/calls/contract.ts";
import type { Deps } from "#src/deps.ts";
import { forbidden, invalid } from "#src/http/refusal.ts";
import { resolveSpots } from "#src/spots/resolve-spots.ts";
import { closeLockedEvent } from "./close-event.ts";
import type { EventResult } from "./contract.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { type EventOrder, type EventRow, type LockedEvent, withEvent } from "./with-event.ts";

/** How an event ended, as somebody (or its plan) says. */
export type Verdict = {
  /** Null: nobody said, which is refused. */
  result: EventResult | null;
  /** Calls placed at or after this moment are refunded; the rest is settled. */
  effectiveAt?: Date | null;
  /** Shown to the players; a correction must have one. */
  reason?: string | null;
};

/**
 * Resolves an event and pays: an open one is closed first, in the same transaction. On a resolved event the same result
 * changes nothing, and another one is a correction by compensating entries.
 * @throws Refusal 422 where the table says no, the result or a correction's reason is missing, or `effectiveAt` lies
 *   ahead; 403 for whoever has an active call on the event.
 */
export function resolveEvent(deps: Deps, order: EventOrder & Verdict): Promise<EventRow> {
  return withEvent(deps, order, (tx, locked) => resolveLockedEvent(tx, locked, order));
}

async function resolveLockedEvent(tx: Transaction, locked: LockedEvent, verdict: Verdict): Promise<EventRow> {
  requireTransition(locked, "resolve");
  const result = requireVerdict(locked, verdict);
  const { event, at } = locked;
  const { effectiveAt = null, reason = null } = verdict;
  if (event.result === result && effectiveAt === null) return event;
  if (event.result !== null && !reason) throw invalid({ reason: ["is required"] });
  await requireNoStake(tx, locked);

  const closed = event.state === "open" ? await closeLockedEvent(tx, locked) : event;
  await settleEvent(tx, {
    eventId: event.id,
    result,
    effectiveAt,
    reason,
    actorId: locked.actor?.id ?? null,
  });
  await resolveSpots(tx, event.id, { result, at });
  return moveEvent(tx, { ...locked, event: closed }, "resolve", {
    result,
    resultReason: reason,
    resolvedAt: sql`coalesce(${events.resolvedAt}, ${at}::timestamptz)`,
    nextTransition: null,
    dueAt: null,
    reason,
  });
}

function requireVerdict({ at }: LockedEvent, { result, effectiveAt }: Verdict): EventResult {
  if (result === null) throw invalid({ result: ["is required"] });
  if (effectiveAt && effectiveAt.getTime() > Date.parse(at)) {
    throw invalid({ effectiveAt: ["is invalid"] }, { detail: "It lies in the future." });
  }
  return result;
}

/** Whoever has money on an event does not decide it, except where a small room has agreed to that. */
async function requireNoStake(tx: Transaction, { event, session, actor }: LockedEvent): Promise<void> {
  if (actor === null || isSmallRoom(session?.settings)) return;
  const [own] = await tx
    .select({ id: calls.id })
    .from(calls)
    .where(
      and(
        eq(calls.eventId, event.id),
        eq(calls.userId, actor.id),
        inArray(calls.state, [...activeCallStates]),
      ),
    )
    .limit(1);
  if (own !== undefined) throw forbidden("You have a call on this event. Somebody else must resolve it.");
}

function isSmallRoom(settings: unknown): boolean {
  return (
    typeof settings === "object" &&
    settings !== null &&
    "smallRoom" in settings &&
    settings.smallRoom === true
  );
}
