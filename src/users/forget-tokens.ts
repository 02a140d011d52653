import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { tokens } from "#db/schema/tokens.ts";
import type { Deps } from "#src/base/deps.ts";
import type { TokenKind } from "./issue-token.ts";

/**
 * Makes links of a user worthless, those that are still to be mailed too.
 * @param kinds which ones; a link that was used already stays known until it expires, and does nothing.
 */
export async function revokeTokens(
  tx: Queryable,
  userId: number,
  kinds: readonly TokenKind[],
): Promise<void> {
  await tx
    .delete(tokens)
    .where(and(eq(tokens.userId, userId), inArray(tokens.kind, [...kinds]), isNull(tokens.usedAt)));
  await tx
    .delete(mails)
    .where(
      and(
        eq(mails.userId, userId),
        inArray(mails.kind, [...kinds]),
        isNull(mails.sentAt),
        isNull(mails.failedAt),
      ),
    );
}

/** Removes the tokens whose time is over. */
export async function forgetTokens({ pool }: Pick<Deps, "pool">): Promise<void> {
  await pool.db.delete(tokens).where(lt(tokens.expiresAt, sql`clock_timestamp()`));
}
