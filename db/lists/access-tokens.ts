/** What a program may do with an access token that a person has made: read what an admin reads, or also run shows. */
export const programScopes = ["read", "run"] as const;
/** And what a dock may do, by its link: run the show for which it was made, and nothing else. */
export const tokenScopes = [...programScopes, "dock"] as const;
export type TokenScope = (typeof tokenScopes)[number];
