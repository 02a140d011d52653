import { createHmac, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { invalid } from "#src/base/refusal.ts";
import { isInnerName, isPublicAddress } from "#src/http/outside/public-address.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";
import { SIGNATURE_HEADER, standardHeaders } from "./contract.ts";

const SALT_BYTES = 24;
const PREFIX = "whsec_";
/** What a salt begins with whose secret is written as Standard Webhooks asks for. */
const STANDARD = "2.";

// Decision: a message is signed twice, by our own header and as https://www.standardwebhooks.com says, whose libraries read a secret as
// base64. Secrets of before are base64url, and receivers have them as text: they stay as they are, and sign both headers too.

/** What a webhook's row has of its secret. */
type Salts = { secretSalt: string; previousSalt: string | null };

/** A new salt. With it a webhook has another secret. */
export function createSalt(): string {
  return STANDARD + randomBytes(SALT_BYTES).toString("base64url");
}

/** The secret of a webhook, derived from the product's own key. So it is not in the database, and can be shown once only by choice. */
export function secretOf({ secretKey }: Pick<Env, "secretKey">, salt: string): string {
  const key = deriveKey(secretKey, "outgoing webhooks");
  const secret = createHmac("sha256", key).update(salt);
  return PREFIX + secret.digest(salt.startsWith(STANDARD) ? "base64" : "base64url");
}

/** The headers that sign a message, by each secret that is valid. @param at of the attempt: a receiver can refuse what was recorded and sent again. */
export function signatureHeaders(
  env: Pick<Env, "secretKey">,
  { secretSalt, previousSalt, id, body, at }: Salts & { id: number; body: string; at: Date },
): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  const salts = previousSalt === null ? [secretSalt] : [secretSalt, previousSalt];
  const secrets = salts.map((salt) => secretOf(env, salt));
  const own = secrets.map((secret) => `v1=${sign(secret, `${seconds}.${body}`).toString("hex")}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${sign(key, `${id}.${seconds}.${body}`).toString("base64")}`;
  });
  return {
    [SIGNATURE_HEADER]: [`t=${seconds}`, ...own].join(","),
    [standardHeaders.id]: String(id),
    [standardHeaders.timestamp]: seconds,
    [standardHeaders.signature]: standard.join(" "),
  };
}

const sign = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

type AddressEnv = Pick<Env, "production">;

/** True for an address that messages may be sent to: a public one (src/http/outside/public-address.ts). In development, where programs are tried, every http address. */
export function isWebhookAddress({ production }: AddressEnv, address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (!production) return url.protocol === "http:" || url.protocol === "https:";
  const host = url.hostname.replace(/\.$/, "").replaceAll(/[[\]]/g, "");
  if (url.protocol !== "https:") return false;
  return isIP(host) === 0 ? !isInnerName(host) : isPublicAddress(host);
}

/** Refuses another address: 422. */
export function requireWebhookAddress(env: AddressEnv, address: string): void {
  if (isWebhookAddress(env, address)) return;
  throw invalid(
    { url: ["is invalid"] },
    {
      detail: env.production
        ? "Use a public address that begins with https:// and has no password in it."
        : "Use an address that begins with http:// or https:// and has no password in it.",
    },
  );
}
