import { eq, type SQL } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import {
  auditSession,
  type LockedSession,
  type SessionCommand,
  type SessionRow,
  withSession,
} from "./with-session.ts";

type Secret = {
  /** The columns from which the secret follows, with their new values. */
  columns: Partial<Record<"joinCode" | "stageLinkGeneration", SQL>>;
  action: "renew_join_code" | "renew_stage_link";
};

/**
 * Gives a session another secret by which people come in, in place of the one before.
 * @returns the session, from which the secret follows.
 * @throws Refusal 404 for an unknown session.
 */
export function renewSecret(deps: Deps, command: SessionCommand, secret: Secret): Promise<SessionRow> {
  return withSession(deps, command, (tx, locked) => renewLocked(tx, locked, secret));
}

/** The same as a part of another change of a locked session. */
export async function renewLocked(
  tx: Transaction,
  locked: Pick<LockedSession, "session" | "actor">,
  { columns, action }: Secret,
): Promise<SessionRow> {
  const { id } = locked.session;
  const [renewed] = await tx.update(sessions).set(columns).where(eq(sessions.id, id)).returning();
  if (renewed === undefined) throw new Error(`session ${id} is missing although its row is locked`);
  await auditSession(tx, locked, { action });
  return renewed;
}
