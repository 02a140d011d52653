import { eq } from "drizzle-orm";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import type { CallState } from "#db/lists/calls.ts";
import { CANCEL_BEFORE_CLOSE_MS, CANCEL_BEFORE_PAUSE_MS } from "#db/lists/limits.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { callTransitions, whyNotCancel } from "./contract.ts";

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
    .select({
      state: calls.state,
      eventState: events.state,
      placedAt: calls.placedAt,
      closesAt: events.closesAt,
      pausedAt: sessions.pausedAt,
    })
    .from(calls)
    .innerJoin(events, eq(events.id, calls.eventId))
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(eq(calls.id, callId));
  return cannotTransitionVia(callTransitions.hide.label, reasonOf(call));
}

type Refused = {
  state: CallState;
  eventState: string;
  placedAt: Date;
  closesAt: Date | null;
  pausedAt: Date | null;
};

function reasonOf(call: Refused | undefined): string {
  if (call?.state === "resolved") return "This call is resolved: its result is paid.";
  if (call?.eventState === "resolved") return "The result of this call is being paid.";
  if (call?.state === "closed") return "Its event has closed, so the call stands.";
  if (call !== undefined && isHeldByPause(call))
    return `The session is paused: only a call of the last ${CANCEL_BEFORE_PAUSE_MS / 1_000} seconds before the pause can be taken back. Try again once the session goes on.`;
  return `A call can be taken back until ${CANCEL_BEFORE_CLOSE_MS / 1_000} seconds before its event closes.`;
}

function isHeldByPause({ placedAt, closesAt, pausedAt, ...states }: Refused): boolean {
  if (pausedAt === null) return false;
  const [placedAtMs, pausedAtMs] = [placedAt.getTime(), pausedAt.getTime()];
  const closesAtMs = closesAt?.getTime() ?? null;
  return whyNotCancel({ ...states, placedAtMs, closesAtMs, pausedAtMs, nowMs: pausedAtMs }) === "paused";
}
