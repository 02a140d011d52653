import { eq } from "drizzle-orm";
import { cancelCall as cancelInLedger } from "#db/ledger/cancel-call.ts";
import { calls } from "#db/schema/calls.ts";
import type { Deps } from "#src/base/deps.ts";
import { isAdmin, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { destroyCall } from "./destroy-call.ts";
import { refuseDestroying } from "./refuse-destroying.ts";
import { whenFree } from "./when-free.ts";

/**
 * Cancels a player's own call and releases its wager. Cancelling it again changes nothing.
 * @throws Refusal 404 for an unknown call or another player's; 422 unless its event is open and the close is at least 5 s away.
 *   While the session is paused its clock is stopped, and only calls of the last 10 s before it can be cancelled. 503 `event_busy`
 *   while a transaction holds the event for long.
 */
export async function cancelCall(
  deps: Deps,
  { viewer, callId }: { viewer: { id: number }; callId: number },
): Promise<void> {
  try {
    await whenFree(() => cancelInLedger(deps.pool.db, { userId: viewer.id, callId }));
  } catch (error) {
    throw await refuseDestroying(deps, callId, error);
  }
  deps.notifyRelay();
}

/**
 * Takes a call back as its viewer may: the player's own call by the rules for players, another player's by an admin's decision.
 * @throws Refusal as `cancelCall` and `destroyCall` do.
 */
export async function takeCallBack(
  deps: Deps,
  { viewer, callId, reason }: { viewer: Viewer; callId: number; reason: string | null },
): Promise<void> {
  if (isAdmin(viewer) && (await isOfAnother(deps, viewer, callId))) {
    return destroyCall(deps, { callId, actor: viewer, reason });
  }
  return cancelCall(deps, { viewer, callId });
}

async function isOfAnother({ pool }: Pick<Deps, "pool">, viewer: Viewer, callId: number): Promise<boolean> {
  const [call] = await pool.db.select({ userId: calls.userId }).from(calls).where(eq(calls.id, callId));
  return call !== undefined && call.userId !== viewer.id;
}
