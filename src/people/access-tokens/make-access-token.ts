import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import type { TokenScope } from "#db/lists/access-tokens.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, once, rekey, stillThere } from "#src/base/once.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import { confirmOwner } from "#src/people/passkeys/check-own-passkey.ts";
import { readByPasskey, type SignedIn } from "#src/people/passkeys/signed-in.ts";
import {
  accessTokenSecret,
  createAccessTokenSalt,
  hashAccessToken,
  hintOf,
  revokeAccessTokens,
} from "#src/people/sign-ins/access-tokens.ts";
import { disconnectToken } from "#src/people/sign-ins/end-sign-ins.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { ACCESS_TOKENS_MAX } from "./contract.ts";
import {
  accessTokenSchema,
  type AccessTokenView,
  type AccessTokensAnswer,
  type NewAccessTokenAnswer,
  type NewAccessTokenBody,
} from "./schemas.ts";

/**
 * Makes an access token for an admin, as strong as the sign-in that asks for it: where admins need a passkey, a token of a sign-in
 * without one is never accepted. The secret is returned and stored nowhere; a request with a key can be repeated for a day.
 * Refuses what `confirmOwner` refuses, and one token too many (422).
 */
export async function makeAccessToken(
  deps: Deps,
  { viewer, signInId }: SignedIn,
  { name, scope, validDays, ...proof }: NewAccessTokenBody,
  keyed: MaybeKeyed = null,
): Promise<NewAccessTokenAnswer> {
  const { byPasskey } = await readByPasskey(deps, signInId);
  // For a repeated request too: its answer has the secret. Another proof is not another request.
  await confirmOwner(deps, { viewer, signInId }, proof);
  const terms = { name, scope, validDays };
  const { row, salt } = await inTransaction(deps.pool.db, async (tx) => {
    const made = await once(tx, rekey(keyed, { request: terms }), madeToken, async () => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, viewer.id)).for("no key update");
      if ((await findValidTokens(tx, viewer.id)).length >= ACCESS_TOKENS_MAX) throw tooMany();
      return insertToken(deps.env, tx, { ...terms, viewer, byPasskey });
    });
    const rows = await tx.select().from(accessTokens).where(eq(accessTokens.id, made.id));
    return { row: stillThere(rows), salt: made.salt };
  });
  return { accessToken: presentAccessToken(row), secret: accessTokenSecret(deps.env, salt) };
}

/** What a repeated request needs to be answered: the secret follows from the salt. */
export const madeToken = v.object({ id: v.number(), salt: v.string() });

type NewToken = Pick<NewAccessTokenBody, "name" | "validDays"> & {
  viewer: { id: number };
  byPasskey: boolean;
  scope: TokenScope;
  /** Of a dock. */
  sessionId?: number;
};

/** Inserts a token, with its entry in the audit. A dock's is in that of its session. */
export async function insertToken(
  env: Deps["env"],
  tx: Transaction,
  { viewer, name, scope, validDays, byPasskey, sessionId }: NewToken,
): Promise<v.InferOutput<typeof madeToken>> {
  const salt = createAccessTokenSalt();
  const secret = accessTokenSecret(env, salt);
  const [made] = await tx
    .insert(accessTokens)
    .values({
      userId: viewer.id,
      name,
      scope,
      sessionId,
      byPasskey,
      secretHash: hashAccessToken(secret),
      hint: hintOf(secret),
      expiresAt: sql`clock_timestamp() + make_interval(days => ${validDays})`,
    })
    .returning();
  if (made === undefined) throw new Error("the insert of an access token returned no row");
  await writeAudit(tx, {
    actor: viewer,
    action: "make_access_token",
    subject: { type: "access_token", id: made.id },
    ...(sessionId === undefined ? {} : { sessionId }),
    after: { scope, expiresAt: made.expiresAt.toISOString() },
  });
  return { id: made.id, salt };
}

function tooMany() {
  return invalid(
    { accessToken: [`is one too many (maximum is ${ACCESS_TOKENS_MAX})`] },
    { detail: "Revoke one that you do not need any more." },
  );
}

/** Revokes one of the viewer's access tokens, and disconnects its sockets. Refuses an unknown, a revoked and another admin's one: 404. */
export async function revokeAccessToken(
  deps: Pick<Deps, "pool" | "redis" | "log">,
  { viewer, id }: { viewer: Pick<Viewer, "id">; id: number },
): Promise<void> {
  await inTransaction(deps.pool.db, async (tx) => {
    const revoked = await revokeAccessTokens(tx, { userId: viewer.id, only: id });
    if (revoked.length === 0) throw notFound();
    await writeAudit(tx, {
      actor: viewer,
      action: "revoke_access_token",
      subject: { type: "access_token", id },
      before: { revoked: false },
      after: { revoked: true },
    });
  });
  await disconnectToken(deps, id);
}

export async function listAccessTokens(
  deps: Deps,
  { viewer, signInId }: SignedIn,
): Promise<AccessTokensAnswer> {
  const [rows, { byPasskey, fresh }] = await Promise.all([
    findValidTokens(deps.pool.db, viewer.id),
    readByPasskey(deps, signInId),
  ]);
  return { accessTokens: rows.map(presentAccessToken), confirmed: byPasskey, fresh };
}

/** The tokens of a user's programs that were not revoked and have not expired. */
function findValidTokens(db: Queryable, userId: number) {
  const isValid = gt(accessTokens.expiresAt, sql`clock_timestamp()`);
  return db
    .select()
    .from(accessTokens)
    .where(
      and(
        eq(accessTokens.userId, userId),
        isNull(accessTokens.revokedAt),
        isNull(accessTokens.sessionId),
        isValid,
      ),
    )
    .orderBy(desc(accessTokens.id));
}

/** A token as its owner reads it, without its secret. */
const presentAccessToken = (row: typeof accessTokens.$inferSelect): AccessTokenView =>
  present(accessTokenSchema, row);
