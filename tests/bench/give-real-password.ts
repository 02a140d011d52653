import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { hashPassword } from "#src/people/sign-ins/passwords.ts";
import { PASSWORD } from "#tests/people/users/person.ts";

/** Gives a user the password of the tests, hashed as the product hashes it: that is most of what a sign-in costs. */
export async function giveRealPassword({ pool }: Pick<Deps, "pool">, userId: number): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  await pool.db.update(users).set({ passwordHash }).where(eq(users.id, userId));
}
