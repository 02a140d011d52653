import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** What a test may falsify in an answer of the authenticator. */
export type Lies = {
  challenge?: string;
  origin?: string;
  rpId?: string;
  /** False: the authenticator has not recognized its user (no fingerprint, no PIN). */
  verified?: boolean;
  type?: string;
  userHandle?: string;
  signCount?: number;
};

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** An authenticator in software with one passkey (ES256), as a browser would pass its answers on. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #origin: string;
  signCount = 0;
  userHandle = "";

  constructor(origin = "http://localhost:3000") {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    this.#origin = origin;
  }

  /** The answer of `navigator.credentials.create()`. */
  create(options: { challenge: string; user: { id: string } }, lies: Lies = {}) {
    this.userHandle = options.user.id;
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      coseKey(this.#publicKey),
    ]);
    const authData = Buffer.concat([this.#authenticatorData(lies, HAS_CREDENTIAL), credential]);
    const attestationObject = cborMap([
      [cborText("fmt"), cborText("none")],
      [cborText("attStmt"), cborMap([])],
      [cborText("authData"), cborBytes(authData)],
    ]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: this.#clientData("webauthn.create", options.challenge, lies).toString("base64url"),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** The answer of `navigator.credentials.get()`. */
  get(options: { challenge: string }, lies: Lies = {}) {
    const clientData = this.#clientData("webauthn.get", options.challenge, lies);
    const authenticatorData = this.#authenticatorData(lies, 0);
    const signed = Buffer.concat([authenticatorData, createHash("sha256").update(clientData).digest()]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        signature: sign("sha256", signed, this.#privateKey).toString("base64url"),
        userHandle: lies.userHandle ?? this.userHandle,
      },
    };
  }

  #credential() {
    const id = this.id.toString("base64url");
    return {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      authenticatorAttachment: "platform",
    };
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const origin = lies.origin ?? this.#origin;
    return Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin,
        crossOrigin: false,
      }),
    );
  }

  #authenticatorData(
    { rpId = "localhost", verified = true, signCount = this.signCount }: Lies,
    more: number,
  ) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    const flags = USER_PRESENT | (verified ? USER_VERIFIED : 0) | more;
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), count]);
  }
}

/** The public key as COSE has it: EC2 with P-256, for ES256. */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return cborMap([
    [Buffer.from([1]), Buffer.from([2])],
    [Buffer.from([3]), Buffer.from([0x26])],
    [Buffer.from([0x20]), Buffer.from([1])],
    [Buffer.from([0x21]), cborBytes(Buffer.from(x, "base64url"))],
    [Buffer.from([0x22]), cborBytes(Buffer.from(y, "base64url"))],
  ]);
}

function cborMap(pairs: readonly [Buffer, Buffer][]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 + pairs.length]), ...pairs.flat()]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const { length } = bytes;
  const head = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), bytes]);
}
