import { createHmac } from "node:crypto";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";

/** What passkeys are bound to: the host in the settings, and the pages of it that may use them. */
export function relyingParty({ publicUrl }: Pick<Env, "publicUrl">): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/** What an authenticator knows a user by: the same for all passkeys of the user, and nothing that says who that is. */
export function userHandle({ secretKey }: Pick<Env, "secretKey">, userId: number): string {
  return createHmac("sha256", deriveKey(secretKey, "passkey-user"))
    .update(String(userId))
    .digest("base64url");
}
