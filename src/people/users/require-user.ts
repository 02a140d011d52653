import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { notFound } from "#src/base/refusal.ts";

/**
 * Refuses a request about an unknown user, where an answer without rows would look like a user who has none.
 * @throws Refusal 404.
 */
export async function requireUser(db: Queryable, userId: number): Promise<void> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if (user === undefined) throw notFound();
}
