/** What strangers do without end while others are measured. */
export const ATTACKS = [
  "16 connections with forms of 1 MB",
  "16 connections with JSON of 1 MB",
  "16 connections with forms in parts of 60 KB",
  "250 sign-ins of one address",
  "500 sockets of one guest",
] as const;

/** The header in which the bench's clients name their address; the server trusts them. */
export const FROM = "x-forwarded-for";
