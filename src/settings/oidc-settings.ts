import * as v from "valibot";
import { commaList, onOff, safeAddress } from "./value-schemas.ts";

const NAME_LENGTH_MAX = 40;
const words = v.optional(v.pipe(v.string(), v.regex(/^\S+$/)));

const given = (what: string, about: string) => ({
  schema: words,
  must: `the ${what} that the provider has given this site, without blanks`,
  fallback: "none; required with OIDC_ISSUER",
  about,
});
const valuesOf = (whom: string) => ({
  schema: v.optional(commaList),
  must: "values of the claim, separated by commas",
  fallback: "none",
  about: `the values that make ${whom}`,
});

/** The sign-in of an organisation, by OpenID Connect. */
export const oidcSettings = {
  OIDC_ISSUER: {
    schema: v.optional(safeAddress),
    must: "the https:// address of the provider, as its own documents name it",
    fallback: "none: accounts have passwords and passkeys of this site",
    about: "the provider at which people sign in (deploy/oidc.md)",
  },
  OIDC_CLIENT_ID: given("id", "by which the provider knows this site"),
  OIDC_CLIENT_SECRET: given("secret", "what proves to the provider that this site asks"),
  OIDC_NAME: {
    schema: v.optional(v.pipe(v.string(), v.maxLength(NAME_LENGTH_MAX))),
    must: `at most ${NAME_LENGTH_MAX} characters`,
    fallback: "the host of OIDC_ISSUER",
    about: 'what people call the provider: "Sign in with NAME"',
  },
  OIDC_ONLY: {
    schema: v.optional(onOff, "off"),
    must: "on or off",
    about: "on: no passwords, passkeys and forms of registration; `admin EMAIL` still lets an admin in",
  },
  OIDC_EMAILS: {
    schema: v.optional(v.picklist(["verified", "trusted"]), "verified"),
    must: "verified or trusted",
    about:
      "verified: an address counts where the provider says email_verified; trusted: all do, because one organisation gives them",
  },
  OIDC_SCOPES: {
    schema: v.optional(v.pipe(v.string(), v.regex(/(^|\s)openid(\s|$)/)), "openid email profile"),
    must: "scopes with blanks between them, openid among them",
    about: "what the provider is asked for; some need one more for groups",
  },
  OIDC_ROLES_CLAIM: {
    schema: words,
    must: "the name of a claim, such as groups or realm_access.roles",
    fallback: "none: the provider gives no roles",
    about: "the claim whose values give roles at each sign-in, and take them away again",
  },
  OIDC_ADMINS: valuesOf("an admin"),
  OIDC_OPERATORS: valuesOf("an operator"),
  OIDC_HOSTS: valuesOf("a host of each session that is not over at the sign-in"),
} as const;
