import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { sessionFlagChanges } from "./contract.ts";
import { moveSession } from "./move-session.ts";
import { type SessionOrder, type SessionRow, withSession } from "./with-session.ts";

/**
 * Takes the flag from a session: players are no longer led there. A running session runs on.
 * @throws Refusal 422 where it does not have it.
 */
export function deactivateSession(deps: Deps, order: SessionOrder): Promise<SessionRow> {
  return withSession(deps, order, async (tx, locked) => {
    if (!locked.session.active) throw cannotTransitionVia(sessionFlagChanges.deactivate.label);
    return { session: await moveSession(tx, locked, "deactivate", { active: false }), rescheduled: [] };
  });
}
