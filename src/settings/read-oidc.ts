import { type ReadSettings, SettingsError } from "./settings.ts";

/** The provider at which people sign in; null: none. */
export type OidcSettings = NonNullable<ReturnType<typeof oidcOf>>;

/** @throws SettingsError for settings that need others, and where nobody could be an admin. */
export function oidcOf(read: ReadSettings) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = read;
  if (issuer === undefined) {
    if (!read.OIDC_ONLY && (clientId ?? clientSecret ?? read.OIDC_ROLES_CLAIM) === undefined) return null;
    throw new SettingsError(
      "OIDC_ISSUER is not set, and other settings of OIDC_ are. Set it, or leave them out.",
    );
  }
  if (clientId === undefined || clientSecret === undefined) {
    throw new SettingsError(
      "OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: the provider gives both when this site is registered there.",
    );
  }
  if (read.OIDC_ONLY && read.ADMIN_PASSKEYS === "required") {
    throw new SettingsError(
      "ADMIN_PASSKEYS=required and OIDC_ONLY=on exclude each other: nobody could be an admin. Leave one of them out.",
    );
  }
  return {
    issuer,
    clientId,
    clientSecret,
    name: read.OIDC_NAME ?? new URL(issuer).host,
    only: read.OIDC_ONLY,
    trustsEmails: read.OIDC_EMAILS === "trusted",
    scopes: read.OIDC_SCOPES,
    /** Null: the provider gives no roles. */
    roles: rolesOf(read),
  };
}

function rolesOf({ OIDC_ROLES_CLAIM: claim, OIDC_ADMINS, OIDC_OPERATORS, OIDC_HOSTS }: ReadSettings) {
  if (claim !== undefined)
    return { claim, admin: OIDC_ADMINS ?? [], operator: OIDC_OPERATORS ?? [], host: OIDC_HOSTS ?? [] };
  if ((OIDC_ADMINS ?? OIDC_OPERATORS ?? OIDC_HOSTS) === undefined) return null;
  throw new SettingsError(
    "OIDC_ADMINS, OIDC_OPERATORS and OIDC_HOSTS need OIDC_ROLES_CLAIM: the claim that has the values.",
  );
}
