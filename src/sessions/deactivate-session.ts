import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { sessionFlagChanges } from "./contract.ts";
import { moveSession } from "./move-session.ts";
import { type SessionCommand, type SessionRow, withSession } from "./with-session.ts";

/**
 * Makes a session no longer the active one: players are no longer taken there. A running session keeps running.
 * @throws Refusal 422 if it is not active.
 */
export function deactivateSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    if (!locked.session.active) throw cannotTransitionVia(sessionFlagChanges.deactivate.label);
    return { session: await moveSession(tx, locked, "deactivate", { active: false }), rescheduled: [] };
  });
}
