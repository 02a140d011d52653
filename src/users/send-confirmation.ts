import { eq, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { writeMail } from "#src/mail/write-mail.ts";

/** How long somebody may come in whose address is not confirmed yet. */
const GRACE_HOURS = 24;

/**
 * Asks a new user to confirm the email address, in the transaction that gives the account its address. The 24 hours of
 * grace begin with the first mail; sending it again does not begin them anew.
 * @returns the mail's id: `ringMail(deps, id)` after the commit has it sent at once.
 */
export async function sendConfirmation(tx: Queryable, user: { id: number; email: string }): Promise<number> {
  await tx
    .update(users)
    .set({
      confirmBy: sql`coalesce(${users.confirmBy}, clock_timestamp() + make_interval(hours => ${GRACE_HOURS}))`,
    })
    .where(eq(users.id, user.id));
  return writeMail(tx, { kind: "confirm_email", recipient: user.email, userId: user.id });
}
