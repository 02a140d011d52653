import { inTransaction } from "#db/client.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { revokeAccessTokens } from "#src/people/sign-ins/revoke-access-tokens.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";

/** Revokes one of the viewer's access tokens. Refuses an unknown, a revoked and another admin's one: 404. */
export async function revokeAccessToken(
  { pool }: Pick<Deps, "pool">,
  { viewer, id }: { viewer: Viewer; id: number },
): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    const revoked = await revokeAccessTokens(tx, { userId: viewer.id, only: id });
    if (revoked.length === 0) throw notFound();
    await writeAudit(tx, {
      actor: viewer,
      action: "revoke_access_token",
      subject: { type: "access_token", id },
      sessionId: null,
      before: { revoked: false },
      after: { revoked: true },
    });
  });
}
