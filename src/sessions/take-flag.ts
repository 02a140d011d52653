import { and, eq, ne, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { moveSession } from "./move-session.ts";
import type { LockedSession } from "./with-session.ts";

/** The number under which sessions wait for each other before they give the flag to one of them. */
const FLAG_GATE = 7702;

/**
 * Waits until nobody else is giving the flag away; held until the transaction ends. Only a session that does not have the
 * flag may wait here: whoever is inside wants the row of the one that has it.
 * @returns the id of the session that has the flag, or null.
 */
export async function gateFlag(tx: Transaction): Promise<number | null> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${FLAG_GATE}::int, 0)`);
  const [holder] = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.active, true));
  return holder?.id ?? null;
}

/** Takes the flag from whichever session has it, for the one that is about to get it. The flag's gate is held. */
export async function takeFlag(tx: Transaction, { session, actor, at }: LockedSession): Promise<void> {
  const [holder] = await tx
    .select()
    .from(sessions)
    .where(and(eq(sessions.active, true), ne(sessions.id, session.id)))
    .for("no key update");
  if (holder === undefined) return;
  await moveSession(tx, { session: holder, actor, at }, "deactivate", { active: false });
}
