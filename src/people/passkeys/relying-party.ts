import type { Env } from "#src/settings/env.ts";

/** What passkeys are bound to: the host in the settings, and the pages of it that may use them. */
export function relyingParty({ publicUrl }: Pick<Env, "publicUrl">): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}
