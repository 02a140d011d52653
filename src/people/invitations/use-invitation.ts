import { createHash } from "node:crypto";
import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { invitations, invitationUses } from "#db/schema/site.ts";
import { writeAudit } from "#src/base/audit.ts";
import { Refusal } from "#src/base/refusal.ts";
import { notInvited, refuseSwitchedOff, switchedOffRefusal } from "#src/base/switches/refuse-switched-off.ts";
import type { Env } from "#src/settings/env.ts";

// Decision: REGISTRATION and its switch are about the forms of this site. Who comes from the provider of an organisation (OIDC_ISSUER) is
// let in by its administrator there, and who was named on the command line by the owner of the machine: both doors stay open.

/** By what a new account comes in: the provider, or the form with the secret of an invitation, or without one. */
export type Door = "provider" | { invitation: string | undefined };

/** A secret has 256 bits, so nobody finds one for a hash. */
export const hashInvitation = (secret: string) => createHash("sha256").update(secret).digest("base64url");

/** Refuses (403) a new account where the site takes none. Whether an invitation is good is decided by useInvitation. */
export async function refuseClosedDoor(tx: Transaction, { registration }: Env, door: Door): Promise<void> {
  if (door === "provider") return;
  if (registration === "off") throw switchedOffRefusal("registration");
  await refuseSwitchedOff(tx, "registration");
  if (registration === "invited" && door.invitation === undefined) throw notInvited();
}

/**
 * Takes one use of the invitation by which a new account came in, in the transaction that makes the account. Its row is locked until then,
 * so of those who come at once by the last use one gets it. Where everybody may register it is not looked at.
 * @throws Refusal 403 for one that is unknown, used up, too old or revoked.
 */
export async function useInvitation(
  tx: Transaction,
  { registration }: Env,
  { door, userId }: { door: Door; userId: number },
): Promise<void> {
  if (registration !== "invited" || door === "provider") return;
  const [used] = await tx
    .update(invitations)
    .set({ uses: sql`${invitations.uses} + 1` })
    .where(
      and(
        eq(invitations.secretHash, hashInvitation(door.invitation ?? "")),
        isNull(invitations.revokedAt),
        gt(invitations.expiresAt, sql`clock_timestamp()`),
        lt(invitations.uses, invitations.usesMax),
      ),
    )
    .returning({ id: invitations.id });
  if (used === undefined) throw usedUp();
  await tx.insert(invitationUses).values({ userId, invitationId: used.id });
  const subject = { type: "invitation", id: used.id } as const;
  await writeAudit(tx, { actor: { id: userId }, action: "use_invitation", subject });
}

const usedUp = () =>
  new Refusal(
    403,
    "not_invited",
    "This invitation is used up, too old or taken back. Ask who sent it to you for another one.",
  );
