import type { UserRow } from "#src/profiles/schemas.ts";

/** What keeps an account from being an ordinary one: "guest", "locked", "deactivated"; empty where nothing does. */
export function standingOf(user: Pick<UserRow, "guest" | "lockedAt" | "deactivatedAt">): string {
  if (user.deactivatedAt !== null) return "deactivated";
  if (user.lockedAt !== null) return "locked";
  return user.guest ? "guest" : "";
}
