import { addressesIn, readAddress } from "./networks.ts";
import { type ReadSettings, SettingsError } from "./settings.ts";

const DISTINCT_CHARACTERS_MIN = 8;
const ownAddresses = addressesIn(["127.0.0.0/8", "::1"]);

/**
 * Refuses settings that are right alone and unsafe together.
 * @throws SettingsError, which says what to change.
 */
export function refuseUnsafe(read: ReadSettings): void {
  const { NODE_ENV, SECRET_KEY, METRICS_PORT, METRICS_TOKEN } = read;
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
  if (read.REGIONS_WITHOUT_PAYMENTS !== undefined && read.REGION_HEADER === undefined) {
    throw new SettingsError(
      "REGIONS_WITHOUT_PAYMENTS needs REGION_HEADER: the header in which your proxy says the region. Set both, or neither.",
    );
  }
  if (NODE_ENV === "production") refuseUnsafeProduction(read);
  if (NODE_ENV === undefined) refuseUnsaid(read);
}

function refuseUnsafeProduction({ DEMO, HOST, PUBLIC_URL, RATE_LIMITS }: ReadSettings): void {
  if (!RATE_LIMITS) throw new SettingsError("RATE_LIMITS cannot be off in production. Leave it out.");
  if (DEMO === true) {
    throw new SettingsError(
      "DEMO cannot be on in production: everybody knows the password of its admin. Leave it out.",
    );
  }
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

/** A start that others can reach must say what it is for: the default is for the own machine alone. */
function refuseUnsaid({ HOST, PUBLIC_URL, DEMO }: ReadSettings): void {
  const open = isLocal(HOST)
    ? isReachedBeyond(PUBLIC_URL) && `PUBLIC_URL is ${PUBLIC_URL}`
    : `HOST is ${HOST}`;
  if (open === false) return;
  throw new SettingsError(
    `NODE_ENV is not set, and others can reach this start: ${open}. Set NODE_ENV=production. In a network of people whom you ` +
      `trust NODE_ENV=development is possible: they can ${whatOthersCan(DEMO !== false)}.`,
  );
}

function isReachedBeyond(publicUrl: string | undefined): boolean {
  return publicUrl !== undefined && !isLocal(new URL(publicUrl).hostname);
}

function whatOthersCan(demo: boolean): string {
  const mails = "read the mails of all players at /dev/mail, with their links to reset passwords";
  return demo ? `${mails}, and sign in as the demo's admin` : mails;
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
  if (production || (isLocal(host) && !isReachedBeyond(publicUrl))) return [];
  const open = isLocal(host) ? `at ${publicUrl}` : `on ${host}`;
  return [
    `Warning: this is not production, and it is open to others ${open}. Everybody who reaches it can ${whatOthersCan(demo)}. ` +
      "Set NODE_ENV=production for others than those whom you trust.",
  ];
}

/** True for this machine itself. A name such as `127.example.com` is no address. */
export function isLocal(host: string): boolean {
  const address = readAddress(host);
  return address === null ? /^(.*\.)?localhost$/i.test(host) : ownAddresses.has(address);
}
