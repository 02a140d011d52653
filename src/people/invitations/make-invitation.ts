import { randomBytes } from "node:crypto";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Queryable } from "#db/client.ts";
import { invitations } from "#db/schema/site.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, once } from "#src/base/once.ts";
import { notFound } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { present } from "#src/http/present.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import {
  invitationSchema,
  type InvitationsAnswer,
  type InvitationView,
  type NewInvitationAnswer,
  type NewInvitationBody,
} from "./schemas.ts";
import { hashInvitation } from "./use-invitation.ts";

const LISTED_MAX = 100;
const USERS_SHOWN = 20;
const SALT_BYTES = 16;

/** What a repeated request needs to be answered: the secret follows from the salt. */
const made = v.object({ id: v.number(), salt: v.string() });

/** Makes an invitation. Its link is returned, and only its hash stored; a request with a key can be repeated for a day. */
export async function makeInvitation(
  { pool, env }: Pick<Deps, "pool"> & { env: Pick<Deps["env"], "secretKey" | "publicUrl"> },
  { actor, usesMax, validDays }: NewInvitationBody & { actor: { id: number } },
  keyed: MaybeKeyed = null,
): Promise<NewInvitationAnswer> {
  const secretOf = (salt: string) => deriveKey(env.secretKey, `invitation ${salt}`);
  return inTransaction(pool.db, async (tx) => {
    const { id, salt } = await once(tx, keyed, made, async () => {
      const newSalt = randomBytes(SALT_BYTES).toString("base64url");
      const [row] = await tx
        .insert(invitations)
        .values({
          secretHash: hashInvitation(secretOf(newSalt)),
          madeById: actor.id,
          usesMax,
          expiresAt: sql`clock_timestamp() + make_interval(days => ${validDays})`,
        })
        .returning();
      if (row === undefined) throw new Error("the insert of an invitation returned no row");
      const after = { usesMax, expiresAt: row.expiresAt.toISOString() };
      const subject = { type: "invitation", id: row.id } as const;
      await writeAudit(tx, { actor, action: "make_invitation", subject, after });
      return { id: row.id, salt: newSalt };
    });
    const [invitation] = await findInvitations(tx, id);
    if (invitation === undefined) throw notFound();
    return { invitation, url: `${env.publicUrl}/users/guest_registration?invitation=${secretOf(salt)}` };
  });
}

/** Takes an invitation back: nobody uses it any more. Refuses an unknown one: 404. */
export async function revokeInvitation(
  { pool }: Pick<Deps, "pool">,
  { actor, id }: { actor: { id: number }; id: number },
): Promise<void> {
  await inTransaction(pool.db, async (tx) => {
    if ((await tx.$count(invitations, eq(invitations.id, id))) === 0) throw notFound();
    const revoked = await tx
      .update(invitations)
      .set({ revokedAt: sql`clock_timestamp()` })
      .where(and(eq(invitations.id, id), isNull(invitations.revokedAt)))
      .returning({ id: invitations.id });
    if (revoked.length === 0) return;
    const change = { before: { revoked: false }, after: { revoked: true } };
    await writeAudit(tx, {
      actor,
      action: "revoke_invitation",
      subject: { type: "invitation", id },
      ...change,
    });
  });
}

/** The newest invitations, with who made them and whose accounts were made by them. */
export async function listInvitations(db: Queryable): Promise<InvitationsAnswer> {
  return { invitations: await findInvitations(db) };
}

/** Read by the index of the uses, so that the list reads as many rows as it shows. */
const usedBy = sql<{ id: number; username: string }[]>`(
  SELECT coalesce(json_agg(json_build_object('id', n.id, 'username', n.username)), '[]') FROM (
    SELECT u.id, u.username FROM invitation_uses i JOIN users u ON u.id = i.user_id
    WHERE i.invitation_id = ${invitations.id} ORDER BY i.user_id DESC LIMIT ${sql.raw(String(USERS_SHOWN))}
  ) AS n)`;

async function findInvitations(db: Queryable, only?: number): Promise<InvitationView[]> {
  const rows = await db
    .select({ row: invitations, madeBy: users.username, usedBy })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.madeById))
    .where(only === undefined ? undefined : eq(invitations.id, only))
    .orderBy(desc(invitations.id))
    .limit(LISTED_MAX);
  return rows.map(({ row, ...people }) =>
    present(invitationSchema, { ...row, ...people, state: stateOf(row) }),
  );
}

function stateOf({ revokedAt, uses, usesMax, expiresAt }: typeof invitations.$inferSelect) {
  if (revokedAt !== null) return "revoked";
  if (uses >= usesMax) return "used_up";
  return expiresAt.getTime() > serverNow().getTime() ? "open" : "expired";
}
