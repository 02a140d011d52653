import { addressesIn, readAddress } from "./networks.ts";
import { type ReadSettings, SettingsError } from "./settings.ts";

const DISTINCT_CHARACTERS_MIN = 8;
const ownAddresses = addressesIn(["127.0.0.0/8", "::1"]);

/**
 * Refuses settings that are right alone and unsafe together.
 * @throws SettingsError, which says what to change.
 */
export function refuseUnsafe({
  NODE_ENV,
  HOST,
  PUBLIC_URL,
  SECRET_KEY,
  METRICS_PORT,
  METRICS_TOKEN,
}: ReadSettings): void {
  if (SECRET_KEY !== undefined && new Set(SECRET_KEY).size < DISTINCT_CHARACTERS_MIN) {
    throw new SettingsError(
      "SECRET_KEY can be guessed. Set it to random characters: openssl rand -base64 48",
    );
  }
  if (METRICS_PORT !== undefined && METRICS_TOKEN === undefined) {
    throw new SettingsError(
      "METRICS_PORT needs METRICS_TOKEN: nobody is signed in at that port. Set the token: openssl rand -base64 48",
    );
  }
  if (NODE_ENV !== "production") return;
  if (PUBLIC_URL === undefined && !isLocal(HOST)) {
    throw new SettingsError(
      `PUBLIC_URL is not set, and HOST is ${HOST}. In production set it to the https:// address that people open.`,
    );
  }
  if (PUBLIC_URL?.startsWith("http://") === true && !isLocal(new URL(PUBLIC_URL).hostname)) {
    throw new SettingsError(
      "PUBLIC_URL must be https:// in production: without TLS everybody on the way reads the sign-ins. Set it to the https:// " +
        "address of the proxy, or leave it out for a start that only this machine reaches.",
    );
  }
}

/** What is unsafe, and only meant for a network that is trusted. One sentence each; empty in production. */
export function listWarnings({
  production,
  host,
  publicUrl,
  demo,
}: {
  production: boolean;
  host: string;
  publicUrl: string;
  demo: boolean;
}): string[] {
  if (production || (isLocal(host) && isLocal(new URL(publicUrl).hostname))) return [];
  const open = isLocal(host) ? `at ${publicUrl}` : `on ${host}`;
  return [
    `Warning: this is not production, and it is open to others ${open}. Everybody who reaches it can read the mails of all ` +
      `players at /dev/mail, with their links to reset passwords${demo ? ", and sign in as the demo's admin" : ""}. Set ` +
      "NODE_ENV=production for others than yourself.",
  ];
}

/** True for this machine itself. A name such as `127.example.com` is no address. */
function isLocal(host: string): boolean {
  const address = readAddress(host);
  return address === null ? /^(.*\.)?localhost$/i.test(host) : ownAddresses.has(address);
}
