import { NotPublic } from "#src/http/outside/public-address.ts";
import { OUTSIDE_TIMEOUT_MS, TimedOut } from "#src/http/outside/request-outside.ts";

const SECOND_MS = 1_000;

const causes: Record<string, string> = {
  ECONNREFUSED: "Nothing listens at this address.",
  ENOTFOUND: "The name of the host is unknown.",
  EAI_AGAIN: "The name of the host cannot be looked up at the moment.",
  ECONNRESET: "The connection was closed without an answer.",
  CERT_HAS_EXPIRED: "The certificate of the host has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate of the host is not signed by an authority.",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate of the host is not signed by an authority.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate of the host cannot be verified.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is that of another host.",
};

/** Why there was no answer, in words. */
export function describeNoAnswer(error: unknown): string {
  if (error instanceof NotPublic) return "The address leads into a private network.";
  if (error instanceof TimedOut) return `There was no answer within ${OUTSIDE_TIMEOUT_MS / SECOND_MS} s.`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return causes[code] ?? "It cannot be reached.";
}
