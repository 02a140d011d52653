const cures: Record<string, string> = {
  CERT_HAS_EXPIRED: "its certificate has expired. Renew it at the server.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is for another name. Connect by a name that the certificate has, or give the server one for this name.",
  ERR_POSTGRES_TLS_NOT_AVAILABLE:
    "it has no TLS. Set ssl = on there, or leave out sslmode in a network that is trusted.",
};
const UNKNOWN_AUTHORITY =
  "its certificate is signed by an authority that is not trusted. Name the file with the right one in the address: " +
  "?sslrootcert=/path/ca.pem.";
const unknownAuthority =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER|VERIFY).*)$/;

/** A server was not connected to, because its TLS is not what the address asks for. The message says what to change. */
export class TlsRefused extends Error {
  override readonly name = "TlsRefused";
  readonly code = "TLS_REFUSED";
}

/** An error of a connection with its cure, if it is about TLS; otherwise null. `server` names it: "Postgres". */
export function tlsRefusal(error: unknown, server: string): TlsRefused | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  const code = String(error.code);
  const cure = unknownAuthority.test(code) ? UNKNOWN_AUTHORITY : cures[code];
  return cure === undefined ? null : new TlsRefused(`${server} is not used: ${cure}`, { cause: error });
}
