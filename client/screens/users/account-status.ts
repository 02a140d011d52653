import type { UserRow } from "#src/profiles/schemas.ts";

/** "guest", "locked" or "deactivated"; empty for an ordinary account. */
export function accountStatusOf(user: Pick<UserRow, "guest" | "lockedAt" | "deactivatedAt">): string {
  if (user.deactivatedAt !== null) return "deactivated";
  if (user.lockedAt !== null) return "locked";
  return user.guest ? "guest" : "";
}
