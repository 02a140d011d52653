/** Where a browser begins to sign in at the provider. */
export const OIDC_PATH = "/users/sign_in/oidc";
/** Where the provider sends it back to. The provider has to know this address. */
export const OIDC_CALLBACK_PATH = `${OIDC_PATH}/callback`;
/** Where a browser goes that has signed out here. */
export const OIDC_SIGN_OUT_PATH = `${OIDC_PATH}/sign_out`;

/** Why a sign-in at the provider was refused, as the sign-in page gets it in `oidc`. */
export const oidcRefusals = [
  "away",
  "refused",
  "begin_again",
  "no_email",
  "unverified",
  "unconfirmed_here",
  "taken",
  "somebody_else",
  "inactive",
  "no_guest",
  "open_calls",
  "excluded",
  "two_teams",
  "too_many_guests",
  "rate_limited",
  "failed",
] as const;
export type OidcRefusal = (typeof oidcRefusals)[number];
