import { createHmac } from "node:crypto";
import type { Transaction } from "#db/client.ts";
import { countCalls } from "#db/ledger/large-settlement.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionWhen } from "#src/base/transition.ts";
import { startPaying } from "#src/play/settlements/start-paying.ts";
import { eventStateLabel } from "#src/show/events/contract.ts";
import { type DecidedEvent, settleResults } from "#src/show/events/settle-result.ts";
import type { EventCommand, EventRow, LockedEvent } from "#src/show/events/with-event.ts";
import { createBatchedVerb } from "#src/show/events/with-events.ts";

const UNRESOLVED_REASON = "Nobody resolved it in time.";
const UNCALLED_REASON = "Nobody called it.";

const resolveTogether = createBatchedVerb({
  transition: "resolve",
  change: resolveLockedEvents,
  fits: isClosed,
});

/**
 * Gives a closed event the result that is due: the pending result after the settlement delay, or else the planned one, or else void.
 * Concurrent results of timers share a transaction. A worker pays the calls afterwards.
 * @param how `alone: false`: does nothing where the event would have to be resolved alone, and returns null.
 * @throws Refusal 422 unless it is closed.
 */
export async function resolveDue(
  deps: Deps,
  command: EventCommand,
  how: { alone: boolean } = { alone: true },
): Promise<EventRow | null> {
  const resolved = await resolveTogether(deps, command, how);
  if (resolved !== null) startPaying(deps, resolved);
  return resolved;
}

/** Settles events together. Of many, large settlements are left out. */
async function resolveLockedEvents(
  tx: Transaction,
  locked: readonly LockedEvent[],
  { env }: Deps,
): Promise<EventRow[]> {
  for (const each of locked) requireClosed(each);
  const counts = await countCalls(
    tx,
    locked.map(({ event }) => event.id),
  );
  const together = locked.length === 1 ? locked : locked.filter(({ event }) => !counts.isLarge(event.id));
  return settleResults(
    tx,
    together.map((each) =>
      decide(each, { secret: env.secretKey, isUncalled: counts.isUncalled(each.event.id) }),
    ),
  );
}

/** The ledger's actor of a pending result is the admin who decided it. */
function decide(
  locked: LockedEvent,
  { secret, isUncalled }: { secret: string; isUncalled: boolean },
): DecidedEvent {
  const { event } = locked;
  const voidReason = isUncalled ? UNCALLED_REASON : UNRESOLVED_REASON;
  const { pendingResult, pendingReason, decidedById, effectiveAt } = event;
  if (pendingResult !== null) {
    const actor = decidedById === null ? null : { id: decidedById };
    return {
      locked: { ...locked, actor },
      decision: { result: pendingResult, effectiveAt, reason: pendingReason },
    };
  }
  const reason = event.autoResult === null ? voidReason : null;
  return { locked, decision: { result: autoResult(event, secret), effectiveAt: null, reason } };
}

/**
 * The result of an event that resolves itself. A random result depends only on the event, its round and the installation's
 * secret: a timer that runs twice decides the same, and nobody can predict it.
 * @returns "void" for an event without a planned result, which nobody has resolved in time: everybody is refunded.
 */
function autoResult({ id, round, autoResult: planned }: EventRow, secret: string): EventResult {
  if (planned === null) return "void";
  if (planned !== "random") return planned;
  const [byte = 0] = createHmac("sha256", secret).update(`auto-result ${id} ${round}`).digest();
  return byte % 2 === 0 ? "true" : "false";
}

function isClosed({ event }: LockedEvent): boolean {
  return event.state === "closed";
}

function requireClosed(locked: LockedEvent): void {
  if (!isClosed(locked)) throw cannotTransitionWhen(eventStateLabel(locked.event.state));
}
