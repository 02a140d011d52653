import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { asTaken } from "#src/users/refuse-taken.ts";
import { touched } from "./attach-avatar.ts";
import type { ProfileChange } from "./schemas.ts";

/**
 * Writes a user's own words: username and phone, as far as they are given.
 * @throws Refusal 422 for a username that somebody has, in any case of letters; the transaction is over then.
 */
export async function updateDetails(
  tx: Transaction,
  viewer: { id: number },
  { username, phone }: Pick<ProfileChange, "username" | "phone">,
): Promise<void> {
  if (username === undefined && phone === undefined) return;
  const change = {
    ...(username === undefined ? {} : { username }),
    ...(phone === undefined ? {} : { phone }),
  };
  await tx
    .update(users)
    .set({ ...change, updatedAt: touched })
    .where(eq(users.id, viewer.id))
    .catch((error: unknown) => {
      throw asTaken(error);
    });
}
