import { cancelCall as cancelInLedger } from "#db/ledger/cancel-call.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { callTransitions } from "./contract.ts";

/**
 * Cancels a player's own call and releases its wager. Cancelling it again changes nothing.
 * @throws Refusal 404 for an unknown call or another player's; 422 unless its event is open, its session is running, and the
 *   close is at least 5 s away.
 */
export async function cancelCall(
  deps: Deps,
  { viewer, callId }: { viewer: { id: number }; callId: number },
): Promise<void> {
  try {
    await cancelInLedger(deps.pool.db, { userId: viewer.id, callId });
  } catch (error) {
    throw refusalFor(error);
  }
  deps.notifyRelay();
}

function refusalFor(error: unknown): unknown {
  if (!(error instanceof LedgerRefusal)) return error;
  if (error.code === "not_found") return notFound();
  if (error.code !== "wrong_state") return error;
  return cannotTransitionVia(
    callTransitions.hide.label,
    "A call can be taken back until 5 seconds before its event closes.",
  );
}
