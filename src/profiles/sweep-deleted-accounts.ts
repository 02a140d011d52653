import { and, gt } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { ago } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";
import { eraseInRedis } from "./erase-in-redis.ts";
import { erasePerson } from "./erase-person.ts";

/** Requests that were under way when the account was deleted have ended by then. */
const SWEPT_MINUTES = 15;

/**
 * Erases again what requests have written that were under way while their account was deleted. Example: a first call registers its
 * player by the name that the request began with.
 */
export async function sweepDeletedAccounts(deps: Deps): Promise<void> {
  const deleted = await deps.pool.db
    .select({ id: users.id })
    .from(users)
    .where(and(gt(users.deletedAt, ago(SWEPT_MINUTES, "mins")), notPaused("deleted_account", users.id)));
  const erase = async ({ id }: { id: number }) => {
    const sessionIds = await inTransaction(deps.pool.db, (tx) => erasePerson(tx, { id, email: null }));
    await eraseInRedis(deps, { userId: id, email: null, sessionIds });
  };
  await tryRows(deps, deleted, erase, { kind: "deleted_account", idOf: ({ id }) => id });
}
