import { constants, zstdCompressSync } from "node:zlib";

// Compression Dictionary Transport, RFC 9842: a browser that has fetched a file with `Use-As-Dictionary` names its SHA-256 with
// later requests, and takes answers that are compressed with it (content encoding `dcz`).

type Bytes = Uint8Array<ArrayBuffer>;

/** A file that a browser may have, to decompress answers with. */
export type Dictionary = {
  bytes: Bytes;
  /** Its SHA-256 in base64, as browsers name it in `Available-Dictionary`. */
  hash: string;
  /** What each answer that uses it begins with: its SHA-256 in a frame that Zstandard skips (RFC 9842, section 5). */
  header: Bytes;
};

const SKIPPED_FRAME = [0x5e, 0x2a, 0x4d, 0x18, 32, 0, 0, 0];
/** Less than 1 ms for the styles of a page. The highest level takes ten times as long, for the same size. */
const LEVEL = 9;

/** Prepares a file as a dictionary. */
export function prepareDictionary(bytes: Bytes): Dictionary {
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest();
  return { bytes, hash: hash.toString("base64"), header: new Uint8Array([...SKIPPED_FRAME, ...hash]) };
}

/** The hash of the dictionary with which the browser would decompress the answer; null if it has none. */
export function availableHash(request: Request): string | null {
  const named = request.headers.get("available-dictionary");
  if (named === null || request.headers.get("accept-encoding")?.includes("dcz") !== true) return null;
  // A byte sequence of RFC 8941: base64 between colons.
  return /^:([\w+/]{43}=):$/.exec(named)?.[1] ?? null;
}

/** Compresses bytes as one frame. What an answer consists of is `header` and frames. */
export function compressWith({ bytes: dictionary }: Dictionary, bytes: Bytes): Uint8Array {
  return zstdCompressSync(bytes, { dictionary, params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
}
