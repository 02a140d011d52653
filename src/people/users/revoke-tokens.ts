import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { tokens } from "#db/schema/tokens.ts";
import type { TokenKind } from "./issue-token.ts";

/**
 * Revokes unused links of a user, including those in mails that are not sent yet.
 * @param kinds the kinds of links. Used links are kept until they expire; they do nothing.
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
