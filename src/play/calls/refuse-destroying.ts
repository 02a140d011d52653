import { eq } from "drizzle-orm";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { CANCEL_BEFORE_CLOSE_MS } from "#db/lists/limits.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { callTransitions } from "./contract.ts";

/**
 * The refusal for a call that the ledger did not destroy, with the reason that applies now. Any other error is returned as it
 * is.
 */
export async function refuseDestroying(
  { pool }: Pick<Deps, "pool">,
  callId: number,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof LedgerRefusal)) return error;
  if (error.code === "not_found") return notFound();
  if (error.code !== "wrong_state") return error;
  const [call] = await pool.db
    .select({ state: calls.state, eventState: events.state })
    .from(calls)
    .innerJoin(events, eq(events.id, calls.eventId))
    .where(eq(calls.id, callId));
  return cannotTransitionVia(callTransitions.hide.label, reasonOf(call));
}

function reasonOf(call: { state: string; eventState: string } | undefined): string {
  if (call?.state === "resolved") return "This call is resolved: its result is paid.";
  if (call?.eventState === "resolved") return "The result of this call is being paid.";
  if (call?.state === "closed") return "Its event has closed, so the call stands.";
  return `A call can be taken back until ${CANCEL_BEFORE_CLOSE_MS / 1_000} seconds before its event closes.`;
}
