import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { type FieldErrors, invalid } from "#src/base/refusal.ts";
import { isNamed } from "./username-columns.ts";

const TAKEN = "has already been taken";

/**
 * Refuses an email and a username that another user has, in other capitals or other letters that look the same: 422.
 * @param userId the guest who keeps the own name; null for a new user.
 */
export async function refuseTaken(
  db: Queryable,
  { email, username, userId }: { email: string; username: string; userId: number | null },
): Promise<void> {
  const [row] = await db.execute(sql`SELECT
    EXISTS (SELECT 1 FROM ${users} WHERE ${eq(users.email, email)}) AS email,
    EXISTS (SELECT 1 FROM ${users} WHERE ${isNamed(username)}
      AND ${users.id} IS DISTINCT FROM ${userId}) AS username`);
  const taken = v.parse(v.object({ email: v.boolean(), username: v.boolean() }), row);
  const errors: FieldErrors = {
    ...(taken.email ? { email: [TAKEN] } : {}),
    ...(taken.username ? { username: [TAKEN] } : {}),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** The database's error after a concurrent request with the same email or username; Drizzle wraps it. */
const uniqueViolation = v.object({
  cause: v.object({ errno: v.literal("23505"), constraint: v.picklist(["users_email", "users_username"]) }),
});

/** Turns a unique violation of a transaction on users into a refusal. Returns any other error unchanged. */
export function toTakenRefusal(error: unknown): unknown {
  const { success, output } = v.safeParse(uniqueViolation, error);
  if (!success) return error;
  return invalid({ [output.cause.constraint === "users_email" ? "email" : "username"]: [TAKEN] });
}
