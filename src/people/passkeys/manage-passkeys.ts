import { and, eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { refuseUnconfirmedAdmin } from "./add-passkey.ts";
import { confirmOwner, type Proof } from "./confirm-owner.ts";
import { presentPasskey } from "./list-passkeys.ts";
import { reportChange } from "./report-change.ts";
import type { PasskeyView } from "./schemas.ts";
import { readByPasskey, type SignedIn } from "./signed-in.ts";

const ownPasskey = (userId: number, id: number) => and(eq(passkeys.id, id), eq(passkeys.userId, userId));

/** Renames one of the user's passkeys. Refuses an unknown one, and one of another user: 404. */
export async function renamePasskey(
  { pool }: Pick<Deps, "pool">,
  { userId, id, name }: { userId: number; id: number; name: string },
): Promise<PasskeyView> {
  const [row] = await pool.db.update(passkeys).set({ name }).where(ownPasskey(userId, id)).returning();
  if (row === undefined) throw notFound();
  return presentPasskey(row);
}

/**
 * Removes one of the user's passkeys. Sign-ins that it has started go on. A mail and a notification report it.
 * Refuses an unknown one, and one of another user (404), an admin who must sign in by passkey and has not (403), and what
 * `confirmOwner` refuses.
 */
export async function removePasskey(
  deps: Deps,
  { viewer, signInId, id, ...proof }: SignedIn & Proof & { id: number },
): Promise<void> {
  if (!(await readByPasskey(deps, signInId)).byPasskey) await refuseUnconfirmedAdmin(deps, viewer);
  if ((await deps.pool.db.$count(passkeys, ownPasskey(viewer.id, id))) === 0) throw notFound();
  await confirmOwner(deps, { viewer, signInId }, proof);
  const send = await inTransaction(deps.pool.db, async (tx) => {
    const [removed] = await tx
      .delete(passkeys)
      .where(ownPasskey(viewer.id, id))
      .returning({ name: passkeys.name });
    if (removed === undefined) throw notFound();
    return reportChange(tx, { viewer, kind: "passkey_removed", name: removed.name });
  });
  await send(deps);
}
