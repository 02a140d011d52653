import { createHmac, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { invalid } from "#src/base/refusal.ts";
import { isInnerName, isPublicAddress } from "#src/http/outside/public-address.ts";
import { deriveKey } from "#src/settings/derive-key.ts";
import type { Env } from "#src/settings/env.ts";

const SALT_BYTES = 24;
const PREFIX = "whsec_";

/** What a webhook's row has of its secret. */
type Salts = { secretSalt: string; previousSalt: string | null };

/** A new salt. With it a webhook has another secret. */
export function createSalt(): string {
  return randomBytes(SALT_BYTES).toString("base64url");
}

/** The secret of a webhook, derived from the product's own key. So it is not in the database, and can be shown once only by choice. */
export function secretOf({ secretKey }: Pick<Env, "secretKey">, salt: string): string {
  const key = deriveKey(secretKey, "outgoing webhooks");
  return PREFIX + createHmac("sha256", key).update(salt).digest("base64url");
}

/** `t=1764000000,v1=<hex>`, with a `v1` by each secret that is valid. @param at of the attempt: a receiver can refuse what was recorded and sent again. */
export function signBody(
  env: Pick<Env, "secretKey">,
  { secretSalt, previousSalt }: Salts,
  { body, at }: { body: string; at: Date },
): string {
  const atSeconds = Math.floor(at.getTime() / 1_000);
  const salts = previousSalt === null ? [secretSalt] : [secretSalt, previousSalt];
  const signatures = salts.map((salt) => {
    const signer = createHmac("sha256", secretOf(env, salt));
    return `v1=${signer.update(`${atSeconds}.${body}`).digest("hex")}`;
  });
  return [`t=${atSeconds}`, ...signatures].join(",");
}

type AddressEnv = Pick<Env, "production">;

// Decision: an admin chooses the address, and a stolen admin account must not become a way into the network that the product runs
// in. So outside development the host is public, which is checked here by its name and again where the connection is made
// (src/http/outside/request-outside.ts): the connection goes to the address that was checked.

/** True for an address that messages may be sent to. In development that is every http address, so that programs can be tried. */
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
