import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Transaction } from "#db/client.ts";
import type { sessions } from "#db/schema/sessions.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { allows } from "#src/http/contract.ts";
import {
  type SessionFlagChange,
  sessionFlagChanges,
  type SessionTransition,
  sessionTransitions,
} from "./contract.ts";
import { auditSession, type LockedSession, type SessionRow, writeSession } from "./with-session.ts";

/**
 * Refuses a transition that the transition table does not list for the session's state.
 * @throws Refusal 422 `cannot transition via "Start"`.
 */
export function requireTransition({ session }: LockedSession, name: SessionTransition): void {
  if (allows(sessionTransitions, name, session.state)) return;
  throw cannotTransitionVia(sessionTransitions[name].label);
}

/**
 * Refuses a change of the active flag that its table does not list for the session's state, and one that changes nothing.
 * @throws Refusal 422 `cannot transition via "Activate"`.
 */
export function requireFlagChange({ session }: LockedSession, name: SessionFlagChange): void {
  const { active, label } = sessionFlagChanges[name];
  if (allows(sessionFlagChanges, name, session.state) && session.active !== active) return;
  throw cannotTransitionVia(label);
}

/**
 * Writes a change of a session's state or active flag, with its fact and its audit entry. The caller has checked the
 * transition.
 * @param takenBackCents the actor's own wagers that were released with it.
 */
export async function moveSession(
  tx: Transaction,
  { takenBackCents = 0, ...locked }: Omit<LockedSession, "rescheduled"> & { takenBackCents?: number },
  name: SessionTransition | SessionFlagChange,
  changes: PgUpdateSetSource<typeof sessions>,
): Promise<SessionRow> {
  const { session } = locked;
  const moved = await writeSession(tx, locked, changes, name);
  await auditSession(tx, locked, {
    action: name,
    before: { state: session.state, active: session.active },
    after: {
      state: moved.state,
      active: moved.active,
      ...(takenBackCents > 0 ? { takenBackCents } : {}),
    },
  });
  return moved;
}
