import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { inTransaction, type Queryable } from "#db/client.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import { tokens } from "#db/schema/tokens.ts";
import { identities, signIns, users } from "#db/schema/users.ts";
import { isUnexpired } from "#db/sign-in-conditions.ts";
import type { Deps } from "#src/base/deps.ts";
import { forbidden, notFound } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import { describeBrowser } from "#src/people/sign-ins/describe-browser.ts";
import { disconnectSignIns, endSignIns } from "#src/people/sign-ins/end-sign-ins.ts";
import { checkOwnPassword, isProven } from "#src/people/sign-ins/lock-account.ts";
import { signInSchema, type SignInView } from "#src/people/sign-ins/schemas.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { deactivateAccount } from "./manage-user.ts";
import { hasAdminRole } from "./roles-of-user.ts";
import type { AccountAnswer } from "./schemas.ts";

const LISTED_MAX = 50;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The user's own account: its address, an address that awaits confirmation, and the signed-in browsers. */
export async function findAccount(db: Queryable, { userId, signInId }: Own): Promise<AccountAnswer> {
  const [[user], signedIn, provider] = await Promise.all([
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
    findProvider(db, { userId, signInId }),
  ]);
  return {
    account: {
      email: user?.email ?? null,
      confirmed: (user?.confirmedAt ?? null) !== null,
      pendingEmail: user?.pendingEmail ?? null,
      passkeysCount: user?.passkeysCount ?? 0,
      ...provider,
    },
    signIns: signedIn,
  };
}

/** How an account signs in that a person of the provider has; nothing for all others. */
async function findProvider(
  db: Queryable,
  { userId, signInId }: Own,
): Promise<Pick<AccountAnswer["account"], "provider">> {
  const [user] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .innerJoin(identities, eq(identities.userId, users.id))
    .where(eq(users.id, userId));
  if (user === undefined) return {};
  return { provider: { hasPassword: user.passwordHash !== null, proven: await isProven(db, signInId) } };
}

/** The valid sign-ins: the current one first, then by the time they were last seen. */
async function listSignIns(db: Queryable, { userId, signInId }: Own): Promise<SignInView[]> {
  const rows = await db
    .select()
    .from(signIns)
    .where(and(eq(signIns.userId, userId), isNull(signIns.endedAt), isUnexpired))
    .orderBy(desc(sql`${signIns.id} = ${signInId}`), desc(signIns.lastSeenAt))
    .limit(LISTED_MAX);
  return rows.map((row) =>
    present(signInSchema, { ...row, current: row.id === signInId, browser: describeBrowser(row.userAgent) }),
  );
}

type Own = { userId: number; signInId: string | null };

export async function endOtherSignIns(deps: Deps, { userId, signInId }: Own): Promise<void> {
  const ended = await inTransaction(deps.pool.db, (tx) => endSignIns(tx, { userId, except: signInId }));
  await disconnectSignIns(deps, ended);
}

/** Signs the user out in one browser. Refuses an unknown sign-in, one of another user, and one that has ended: 404. */
export async function endOwnSignIn(deps: Deps, userId: number, signInId: string): Promise<void> {
  if (!uuid.test(signInId)) throw notFound();
  const ended = await inTransaction(deps.pool.db, (tx) => endSignIns(tx, { userId, only: signInId }));
  if (ended.length === 0) throw notFound();
  await disconnectSignIns(deps, ended);
}

/**
 * Deactivates the user's own account: all sign-ins end, and new ones are refused until an admin reactivates it. Its data
 * stays. Refuses a wrong password (422), and an admin, so that there is always one left (403).
 */
export async function deactivateOwnAccount(
  deps: Deps,
  { viewer, signInId, currentPassword }: { viewer: Viewer; signInId: string | null; currentPassword: string },
): Promise<void> {
  if (await hasAdminRole(deps.pool.db, viewer.id))
    throw forbidden("An admin stays. Have another admin take your role first.");
  await checkOwnPassword(deps, { userId: viewer.id, signInId }, currentPassword);
  await deactivateAccount(deps, { userId: viewer.id, actor: viewer, reason: null });
}
