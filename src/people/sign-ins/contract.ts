/** The most letters of an email address and of a password, wherever one is typed. */
export const EMAIL_LENGTH_MAX = 254;
export const PASSWORD_LENGTH_MAX = 128;
/**
 * What a form sends in the place of the password where its user has just signed in at the provider once more. No password is as short.
 */
export const PROVIDER_PROOF = "oidc";
/** How long that counts, in seconds. */
export const PROVEN_S = 600;

/** Where the sign-in page leads afterwards: a path of this site, never another site. */
export function safeReturnPath(path: string | null): string {
  const isSafe = path !== null && /^\/(?![/\\])[^\s\\]*$/.test(path) && !path.startsWith("/users/sign_");
  return isSafe ? path : "/sessions";
}
