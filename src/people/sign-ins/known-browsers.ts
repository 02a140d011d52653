import { and, eq, ne, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { knownBrowsers, users } from "#db/schema/users.ts";

// Decision: a browser that has signed in to an account before is not locked out by the guesses of others. It has a count of its
// own, also while the account is locked. When that count is full, the browser is known no more, and the account is locked.

/** In SQL, for queries of `users`: this browser has signed in to this account before. */
export const isKnownBrowser = (browserId: string | null) => sql<boolean>`EXISTS (
  SELECT 1 FROM ${knownBrowsers} WHERE ${knownBrowsers.userId} = ${users.id} AND ${knownBrowsers.browserId} = ${browserId}::uuid)`;

/**
 * Makes a browser known to an account, and resets its count of wrong passwords.
 * @param browserId null for a browser that has never signed in.
 * @returns the browser's id, for its cookie.
 */
export async function rememberBrowser(
  tx: Queryable,
  { userId, browserId }: { userId: number; browserId: string | null },
): Promise<string> {
  const id = browserId ?? crypto.randomUUID();
  await tx
    .insert(knownBrowsers)
    .values({ userId, browserId: id })
    .onConflictDoUpdate({
      target: [knownBrowsers.userId, knownBrowsers.browserId],
      set: { failedAttempts: 0, signedInAt: sql`clock_timestamp()` },
    });
  return id;
}

/**
 * Counts a wrong password of a known browser. The caller has locked the user's row.
 * @returns how many in a row there were; null if the browser is not known to the account.
 */
export async function countInBrowser(
  tx: Queryable,
  { userId, browserId }: { userId: number; browserId: string },
): Promise<number | null> {
  const [counted] = await tx
    .update(knownBrowsers)
    .set({ failedAttempts: sql`${knownBrowsers.failedAttempts} + 1` })
    .where(and(eq(knownBrowsers.userId, userId), eq(knownBrowsers.browserId, browserId)))
    .returning({ failedAttempts: knownBrowsers.failedAttempts });
  return counted?.failedAttempts ?? null;
}

/**
 * Forgets browsers of an account: from now on they are strangers. After a new password, because an old one may have been stolen.
 * @param selection all browsers, all except one, or only one.
 */
export async function forgetBrowsers(
  tx: Queryable,
  { userId, except, only }: { userId: number; except?: string | null; only?: string },
): Promise<void> {
  await tx
    .delete(knownBrowsers)
    .where(
      and(
        eq(knownBrowsers.userId, userId),
        except === undefined || except === null ? undefined : ne(knownBrowsers.browserId, except),
        only === undefined ? undefined : eq(knownBrowsers.browserId, only),
      ),
    );
}
