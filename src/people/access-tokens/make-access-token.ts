import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { confirmOwner } from "#src/people/passkeys/confirm-owner.ts";
import { readByPasskey, type SignedIn } from "#src/people/passkeys/signed-in.ts";
import {
  createAccessTokenSecret,
  hashAccessToken,
  hintOf,
} from "#src/people/sign-ins/access-token-secret.ts";
import { ACCESS_TOKENS_MAX } from "./contract.ts";
import { findValidTokens, presentAccessToken } from "./list-access-tokens.ts";
import type { NewAccessTokenAnswer, NewAccessTokenBody } from "./schemas.ts";

/**
 * Makes an access token for an admin, as strong as the sign-in that asks for it: where admins need a passkey, a token of a sign-in
 * without one is never accepted. The secret is returned and stored nowhere.
 * Refuses what `confirmOwner` refuses, and one token too many (422).
 */
export async function makeAccessToken(
  deps: Deps,
  { viewer, signInId }: SignedIn,
  { name, scope, validDays, ...proof }: NewAccessTokenBody,
): Promise<NewAccessTokenAnswer> {
  const { byPasskey } = await readByPasskey(deps, signInId);
  await confirmOwner(deps, { viewer, signInId }, proof);
  const secret = createAccessTokenSecret();
  const row = await inTransaction(deps.pool.db, async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, viewer.id)).for("no key update");
    if ((await findValidTokens(tx, viewer.id)).length >= ACCESS_TOKENS_MAX) throw tooMany();
    const [made] = await tx
      .insert(accessTokens)
      .values({
        userId: viewer.id,
        name,
        scope,
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
      sessionId: null,
      before: {},
      after: { scope, expiresAt: made.expiresAt.toISOString() },
    });
    return made;
  });
  return { accessToken: presentAccessToken(row), secret };
}

function tooMany() {
  return invalid(
    { accessToken: [`is one too many (maximum is ${ACCESS_TOKENS_MAX})`] },
    { detail: "Revoke one that you do not need any more." },
  );
}
