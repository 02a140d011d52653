import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { tokens } from "#db/schema/tokens.ts";
import type { Deps } from "#src/deps.ts";

/**
 * Makes the links of a user worthless that give power over the account, those that are still to be mailed too: whoever
 * changes the password shuts out everybody else.
 */
export async function revokeTokens(tx: Queryable, userId: number): Promise<void> {
  await tx
    .delete(tokens)
    .where(and(eq(tokens.userId, userId), inArray(tokens.kind, ["reset_password", "change_email"])));
  await tx
    .delete(mails)
    .where(
      and(
        eq(mails.userId, userId),
        eq(mails.kind, "change_email"),
        isNull(mails.sentAt),
        isNull(mails.failedAt),
      ),
    );
}

/** Removes the tokens whose time is over. */
export async function forgetTokens({ pool }: Pick<Deps, "pool">): Promise<void> {
  await pool.db.delete(tokens).where(lt(tokens.expiresAt, sql`clock_timestamp()`));
}
