import { createDecipheriv, createECDH, createHmac, randomBytes } from "node:crypto";
import type { PushSubscriptionBody } from "#src/people/push/schemas.ts";

const SALT_BYTES = 16;
const HEAD_BYTES = 21;
const TAG_BYTES = 16;

/** The part of a browser that push services and RFC 8291 see: its address, its keys, and how it reads what is sent to it. */
export class PushBrowser {
  readonly endpoint: string;
  readonly #pair = createECDH("prime256v1");
  readonly #secret = randomBytes(SALT_BYTES);

  constructor(endpoint: string) {
    this.endpoint = endpoint;
    this.#pair.generateKeys();
  }

  /** What the browser sends to the product. */
  subscription(wanted: Partial<PushSubscriptionBody> = {}): PushSubscriptionBody {
    return {
      endpoint: this.endpoint,
      p256dh: this.#pair.getPublicKey("base64url"),
      auth: this.#secret.toString("base64url"),
      sessionLive: true,
      results: true,
      ...wanted,
    };
  }

  /** Decrypts a message as RFC 8291 says. It is written from the RFC, with nothing of the library that encrypts. */
  read(body: Buffer): unknown {
    const salt = body.subarray(0, SALT_BYTES);
    const keyLength = body.readUInt8(HEAD_BYTES - 1);
    const senderKey = body.subarray(HEAD_BYTES, HEAD_BYTES + keyLength);
    const shared = this.#pair.computeSecret(senderKey);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#pair.getPublicKey(), senderKey]);
    const input = derive({ key: shared, salt: this.#secret, info, length: 32 });
    const keyOf = (name: string, length: number) =>
      derive({ key: input, salt, info: Buffer.from(`Content-Encoding: ${name}\0`), length });
    const sealed = body.subarray(HEAD_BYTES + keyLength);
    const decipher = createDecipheriv("aes-128-gcm", keyOf("aes128gcm", 16), keyOf("nonce", 12));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
    // The last record ends with the byte 2, and zeros after it.
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }
}

/** HKDF with one block of output. */
function derive({ key, salt, info, length }: { key: Buffer; salt: Buffer; info: Buffer; length: number }) {
  const extracted = createHmac("sha256", salt).update(key).digest();
  const block = Buffer.concat([info, Buffer.from([1])]);
  return createHmac("sha256", extracted).update(block).digest().subarray(0, length);
}
