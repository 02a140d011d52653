import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import { tokens } from "#db/schema/tokens.ts";
import { signIns, users } from "#db/schema/users.ts";
import { isUnexpired } from "#db/sign-in-conditions.ts";
import { describeBrowser } from "#src/people/sign-ins/describe-browser.ts";
import type { SignInView } from "#src/people/sign-ins/schemas.ts";
import type { AccountAnswer } from "./schemas.ts";

const LISTED_MAX = 50;

/** The user's own account: its address, an address that awaits confirmation, and the signed-in browsers. */
export async function findAccount(
  db: Queryable,
  { userId, signInId }: { userId: number; signInId: string | null },
): Promise<AccountAnswer> {
  const [[user], signedIn] = await Promise.all([
    db
      .select({
        email: users.email,
        confirmedAt: users.confirmedAt,
        pendingEmail: tokens.email,
        passkeysCount: db.$count(passkeys, eq(passkeys.userId, users.id)),
      })
      .from(users)
      .leftJoin(
        tokens,
        and(
          eq(tokens.userId, users.id),
          eq(tokens.kind, "change_email"),
          isNull(tokens.usedAt),
          gt(tokens.expiresAt, sql`clock_timestamp()`),
        ),
      )
      .where(eq(users.id, userId)),
    listSignIns(db, { userId, signInId }),
  ]);
  return {
    account: {
      email: user?.email ?? null,
      confirmed: (user?.confirmedAt ?? null) !== null,
      pendingEmail: user?.pendingEmail ?? null,
      passkeysCount: user?.passkeysCount ?? 0,
    },
    signIns: signedIn,
  };
}

/** The valid sign-ins: the current one first, then by the time they were last seen. */
async function listSignIns(
  db: Queryable,
  { userId, signInId }: { userId: number; signInId: string | null },
): Promise<SignInView[]> {
  const rows = await db
    .select()
    .from(signIns)
    .where(and(eq(signIns.userId, userId), isNull(signIns.endedAt), isUnexpired))
    .orderBy(desc(sql`${signIns.id} = ${signInId}`), desc(signIns.lastSeenAt))
    .limit(LISTED_MAX);
  return rows.map((row) => ({
    id: row.id,
    current: row.id === signInId,
    address: row.address,
    browser: describeBrowser(row.userAgent),
    remembered: row.remembered,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  }));
}
