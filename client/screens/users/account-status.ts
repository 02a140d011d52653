import type { UserRow } from "#src/profiles/schemas.ts";

/** "part of an account", "guest", "locked" or "deactivated"; empty for an ordinary account. */
export function accountStatusOf(
  user: Pick<UserRow, "guest" | "lockedAt" | "deactivatedAt" | "mergedInto">,
): string {
  if (user.mergedInto !== null) return "part of an account";
  if (user.deactivatedAt !== null) return "deactivated";
  if (user.lockedAt !== null) return "locked";
  return user.guest ? "guest" : "";
}
