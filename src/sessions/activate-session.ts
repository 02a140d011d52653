import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { sessionFlagChanges } from "./contract.ts";
import { moveSession } from "./move-session.ts";
import { gateFlag, takeFlag } from "./take-flag.ts";
import { type SessionOrder, type SessionRow, withSession } from "./with-session.ts";

/**
 * Makes a session the one that players are taken to, in place of whichever was.
 * @throws Refusal 422 where it is stopped or is that session already.
 */
export function activateSession(deps: Deps, order: SessionOrder): Promise<SessionRow> {
  const { from, label } = sessionFlagChanges.activate;
  return withSession(deps, order, async (tx, locked) => {
    const allowed = from.some((state) => state === locked.session.state) && !locked.session.active;
    if (!allowed) throw cannotTransitionVia(label);
    await gateFlag(tx);
    await takeFlag(tx, locked);
    return { session: await moveSession(tx, locked, "activate", { active: true }), rescheduled: [] };
  });
}
