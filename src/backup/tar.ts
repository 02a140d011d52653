import { ENTRY_BYTES_MAX } from "./manifest.ts";

// The format of POSIX.1-1988 (ustar): 512 bytes of header, the bytes, zeros up to the next 512.

const BLOCK = 512;
const NAME_BYTES_MAX = 100;
const CHECKSUM_AT = 148;
const CHECKSUM_LENGTH = 8;
const SIZE_AT = 124;
const FIELD_LENGTH = 12;

export type TarEntry = { name: string; bytes: Uint8Array };

/** The archive is not one, or ends before its end. */
export class BadArchive extends Error {
  override readonly name = "BadArchive";
}

/** The bytes of an entry: its header, its content, and the zeros after it. */
export function packEntry({ name, bytes }: TarEntry, modifiedAt: Date): Uint8Array[] {
  const padding = (BLOCK - (bytes.length % BLOCK)) % BLOCK;
  return [headerOf(name, bytes.length, modifiedAt), bytes, new Uint8Array(padding)];
}

/** The end of an archive. */
export const TAR_END = new Uint8Array(2 * BLOCK);

function headerOf(name: string, size: number, modifiedAt: Date): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const put = (text: string, at: number) => header.set(new TextEncoder().encode(text), at);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  if (Buffer.byteLength(name) > NAME_BYTES_MAX)
    throw new Error(`the name is too long for an archive: ${name}`);
  put(name, 0);
  put(`${octal(0o600, 8)}${octal(0, 8)}${octal(0, 8)}`, NAME_BYTES_MAX);
  put(octal(size, FIELD_LENGTH), SIZE_AT);
  put(octal(Math.floor(modifiedAt.getTime() / 1000), FIELD_LENGTH), SIZE_AT + FIELD_LENGTH);
  put(" ".repeat(CHECKSUM_LENGTH), CHECKSUM_AT);
  put("0", CHECKSUM_AT + CHECKSUM_LENGTH);
  put("ustar\u000000", 257);
  put(`${octal(sumOf(header), CHECKSUM_LENGTH - 1)} `, CHECKSUM_AT);
  return header;
}

/**
 * Reads an archive entry by entry, each as a whole.
 * @param before called with all bytes before each entry, in order.
 * @throws BadArchive if it ends early, or if it is no such archive.
 */
export async function* readTar(
  stream: AsyncIterable<Uint8Array>,
  before: (bytes: Uint8Array) => void = () => undefined,
): AsyncGenerator<TarEntry> {
  const source = new Blocks(stream);
  let last: Uint8Array[] = [];
  for (;;) {
    const header = await source.take(BLOCK);
    if (header.every((byte) => byte === 0)) return source.drain();
    for (const bytes of last) before(bytes);
    const { name, size } = readHeader(header);
    const bytes = await source.take(size);
    const padding = await source.take((BLOCK - (size % BLOCK)) % BLOCK);
    last = [header, bytes, padding];
    yield { name, bytes };
  }
}

function readHeader(header: Uint8Array): { name: string; size: number } {
  const text = (at: number, length: number) => {
    const [word = ""] = new TextDecoder().decode(header.subarray(at, at + length)).split("\0");
    return word.trim();
  };
  const sum = Number.parseInt(text(CHECKSUM_AT, CHECKSUM_LENGTH), 8);
  const size = Number.parseInt(text(SIZE_AT, FIELD_LENGTH), 8);
  const blank = header.slice().fill(" ".charCodeAt(0), CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_LENGTH);
  if (sum !== sumOf(blank) || !(size <= ENTRY_BYTES_MAX)) throw new BadArchive("not an archive");
  return { name: text(0, NAME_BYTES_MAX), size };
}

function sumOf(header: Uint8Array): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}

/** Cuts a stream into pieces of the lengths that are asked for. */
class Blocks {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#source = stream[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.#rest.length === 0) await this.#fill();
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      parts.push(part);
      missing -= part.length;
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** Reads to the end: a stream that was cut off or changed fails there at the latest. */
  async drain(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }

  async #fill(): Promise<void> {
    const next = await this.#source.next();
    if (next.done === true) throw new BadArchive("the archive ends early");
    this.#rest = next.value;
  }
}
