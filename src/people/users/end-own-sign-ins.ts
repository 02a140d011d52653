import { inTransaction } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";

/** Signs the user out in all other browsers. */
export async function endOtherSignIns(
  deps: Deps,
  { userId, signInId }: { userId: number; signInId: string | null },
): Promise<void> {
  const ended = await inTransaction(deps.pool.db, (tx) => endSignIns(tx, { userId, except: signInId }));
  await disconnectSignIns(deps, ended);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Signs the user out in one browser. Refuses an unknown sign-in, one of another user, and one that has ended: 404. */
export async function endOwnSignIn(
  deps: Deps,
  { userId, signInId }: { userId: number; signInId: string },
): Promise<void> {
  if (!uuid.test(signInId)) throw notFound();
  const ended = await inTransaction(deps.pool.db, (tx) => endSignIns(tx, { userId, only: signInId }));
  if (ended.length === 0) throw notFound();
  await disconnectSignIns(deps, ended);
}
