import { asc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import type { Deps } from "#src/base/deps.ts";
import { runsShows } from "#src/people/users/roles-of-user.ts";
import type { PasskeysAnswer, PasskeyView } from "./schemas.ts";
import { readByPasskey, type SignedIn } from "./signed-in.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

/** The viewer's passkeys, whether one has confirmed this sign-in, and whether the viewer's roles demand one. */
export async function listPasskeys(deps: Deps, { viewer, signInId }: SignedIn): Promise<PasskeysAnswer> {
  const [rows, { byPasskey, fresh }, isNeeded] = await Promise.all([
    findPasskeys(deps.pool.db, viewer.id),
    readByPasskey(deps, signInId),
    runsShows(deps.pool.db, viewer.id),
  ]);
  const required = deps.env.adminPasskeysRequired && isNeeded;
  return { passkeys: rows.map(presentPasskey), confirmed: byPasskey, fresh, required };
}

/** A user's passkeys, oldest first. */
export function findPasskeys(db: Queryable, userId: number): Promise<PasskeyRow[]> {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id));
}

/** A passkey as its user reads it. */
export function presentPasskey({ id, name, createdAt, lastUsedAt }: PasskeyRow): PasskeyView {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
