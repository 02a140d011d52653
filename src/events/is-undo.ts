import { and, desc, eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";
import type { LockedEvent } from "./with-event.ts";

/** For this long whoever resolved an event may take it back without saying why. */
const UNDO_WITHIN_MS = 10_000;

/**
 * True if the event was resolved moments ago, and by whoever now corrects it. Somebody else, who may have decided at the
 * same time, must give a reason: two decisions at once do not overrule each other silently.
 */
export async function isUndo(tx: Transaction, { event, actor, at }: LockedEvent): Promise<boolean> {
  if (actor === null || event.resolvedAt === null) return false;
  if (Date.parse(at) - event.resolvedAt.getTime() > UNDO_WITHIN_MS) return false;
  const [latest] = await tx
    .select({ actorId: audit.actorId })
    .from(audit)
    .where(and(eq(audit.subjectType, "event"), eq(audit.subjectId, event.id), eq(audit.action, "resolve")))
    .orderBy(desc(audit.id))
    .limit(1);
  return latest?.actorId === actor.id;
}
