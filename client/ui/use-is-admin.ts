import { usePage } from "#client/base/page/context.ts";

/** True for an admin, and not for the host of one session: users, wallets and blueprints are for admins alone. */
export function useIsAdmin(): boolean {
  return usePage().viewer?.roles.includes("admin") === true;
}
