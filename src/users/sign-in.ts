import type { Deps } from "#src/deps.ts";
import { Refusal } from "#src/http/refusal.ts";
import type { SignInBody } from "./contract.ts";
import { findCredentials } from "./find-credentials.ts";
import { verifyPassword } from "./passwords.ts";
import { type Browser, type SignIn, startSignIn } from "./start-sign-in.ts";

/**
 * Signs somebody in: a new sign-in row, whatever else there is.
 * Refuses an unknown email and a wrong password alike, in words and in time (401), and a deactivated account (403).
 */
export async function signIn(deps: Deps, input: SignInBody & Browser): Promise<SignIn> {
  const credentials = await findCredentials(deps.pool.db, input.email);
  const matches = await verifyPassword(input.password, credentials?.passwordHash ?? null);
  if (credentials === null || !matches) throw invalidCredentials();
  if (credentials.deactivated) throw notActivated();

  const { viewer } = credentials;
  const { address, userAgent, rememberMe: remembered } = input;
  return startSignIn(deps.pool.db, { viewer, remembered, address, userAgent });
}

function invalidCredentials(): Refusal {
  return new Refusal(401, "invalid_credentials", "Invalid credentials or password.");
}

function notActivated(): Refusal {
  return new Refusal(403, "inactive", "Your account is not activated yet.");
}
