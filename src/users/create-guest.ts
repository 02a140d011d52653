import { eq } from "drizzle-orm";
import { inTransaction, type Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { findViewer } from "#src/sign-ins/find-viewer.ts";
import { type Browser, type SignIn, startSignIn } from "#src/sign-ins/start-sign-in.ts";
import { welcomePlayer } from "./welcome-player.ts";

/**
 * Makes a guest, who plays like everybody, and signs it in at this browser. It is remembered, since there is no password to
 * come back with.
 */
export function createGuest(deps: Pick<Deps, "pool">, browser: Browser): Promise<SignIn> {
  return inTransaction(deps.pool.db, async (tx) => {
    const viewer = await findViewer(tx, await insertGuest(tx));
    return startSignIn(tx, { viewer, remembered: true, ...browser });
  });
}

/** The row of a guest, with a wallet. Its name is its number, so that no two are alike. @returns its id. */
export async function insertGuest(tx: Queryable): Promise<number> {
  const [guest] = await tx
    .insert(users)
    .values({ username: `guest_${crypto.randomUUID()}`, guest: true })
    .returning({ id: users.id });
  if (guest === undefined) throw new Error("A guest was inserted, but none came back");
  await tx
    .update(users)
    .set({ username: `guest_${guest.id}` })
    .where(eq(users.id, guest.id));
  await welcomePlayer(tx, guest.id);
  return guest.id;
}
