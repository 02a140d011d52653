import { createHmac, randomBytes } from "node:crypto";
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

/**
 * The signature of a message: `t=1764000000,v1=<hex>`. While a secret is rotated it has a `v1` by each of the two.
 * @param at the time of the attempt, so that a receiver can refuse a message that was recorded and sent again.
 */
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
