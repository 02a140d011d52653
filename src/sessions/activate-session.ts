import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { lockActiveFlag, clearActiveFlag } from "./active-flag.ts";
import { sessionFlagChanges } from "./contract.ts";
import { moveSession } from "./move-session.ts";
import { type SessionCommand, type SessionRow, withSession } from "./with-session.ts";

/**
 * Makes a session the active one, to which players are taken, instead of the one that was active.
 * @throws Refusal 422 if it is stopped or already active.
 */
export function activateSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  const { from, label } = sessionFlagChanges.activate;
  return withSession(deps, command, async (tx, locked) => {
    const allowed = from.some((state) => state === locked.session.state) && !locked.session.active;
    if (!allowed) throw cannotTransitionVia(label);
    await lockActiveFlag(tx);
    await clearActiveFlag(tx, locked);
    return { session: await moveSession(tx, locked, "activate", { active: true }), rescheduled: [] };
  });
}
