/** What a program may do with an access token: read what an admin reads, or also run shows. */
export const tokenScopes = ["read", "run"] as const;
export type TokenScope = (typeof tokenScopes)[number];
