import { createECDH, createHmac } from "node:crypto";

const CURVE = "prime256v1";

/** The pair of keys by which push services recognize this product (VAPID), in base64url. */
export type PushKeys = { publicKey: string; privateKey: string };

/**
 * The product's pair of keys for Web Push. By default it is derived from the secret key, so that it exists from the first start,
 * all machines have the same, and nothing more has to be stored. A new pair makes all subscriptions useless; browsers subscribe
 * again with their next visit.
 * @param privateKey one to use instead: 32 bytes in base64url.
 * @returns null if that is no private key of the curve.
 */
export function pushKeysOf(secretKey: string, privateKey: string | undefined): PushKeys | null {
  if (privateKey !== undefined) return pairOf(privateKey);
  // Nearly every number of 32 bytes is a private key; of the others there is one in four billion.
  for (let attempt = 0; ; attempt += 1) {
    const pair = pairOf(createHmac("sha256", secretKey).update(`web push ${attempt}`).digest("base64url"));
    if (pair !== null) return pair;
  }
}

function pairOf(privateKey: string): PushKeys | null {
  const pair = createECDH(CURVE);
  try {
    pair.setPrivateKey(privateKey, "base64url");
    return { publicKey: pair.getPublicKey("base64url"), privateKey };
  } catch {
    return null;
  }
}
