import type { Deps } from "#src/base/deps.ts";
import { clearActiveFlag, lockActiveFlag } from "./active-flag.ts";
import { moveSession, requireFlagChange } from "./move-session.ts";
import { type SessionCommand, type SessionRow, withSession } from "./with-session.ts";

/**
 * Makes a session the active one, to which players are taken, instead of the one that was active.
 * @throws Refusal 422 if it is stopped or already active.
 */
export function activateSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireFlagChange(locked, "activate");
    await lockActiveFlag(tx);
    await clearActiveFlag(tx, locked);
    return moveSession(tx, locked, "activate", { active: true });
  });
}

/**
 * Makes a session no longer the active one: players are no longer taken there. A running session keeps running.
 * @throws Refusal 422 if it is stopped or not active.
 */
export function deactivateSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireFlagChange(locked, "deactivate");
    return moveSession(tx, locked, "deactivate", { active: false });
  });
}
