import type { Deps } from "#src/base/deps.ts";
import { moveSession, requireFlagChange } from "./move-session.ts";
import { type SessionCommand, type SessionRow, withSession } from "./with-session.ts";

/**
 * Makes a session no longer the active one: players are no longer taken there. A running session keeps running.
 * @throws Refusal 422 if it is stopped or not active.
 */
export function deactivateSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireFlagChange(locked, "deactivate");
    return { session: await moveSession(tx, locked, "deactivate", { active: false }), rescheduled: [] };
  });
}
