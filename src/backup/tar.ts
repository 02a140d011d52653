import { createTarDecoder, packTar } from "modern-tar";
import { streamParts } from "#src/base/stream-parts.ts";
import { ENTRY_BYTES_MAX } from "./manifest.ts";

const BLOCK = 512;

export type TarEntry = { name: string; bytes: Uint8Array };

export const TAR_END = new Uint8Array(2 * BLOCK);

/** The bytes of an entry: its header, its content, and the zeros after it. */
export async function packEntry({ name, bytes }: TarEntry, mtime: Date): Promise<Uint8Array> {
  const header = { name, size: bytes.length, mode: 0o600, mtime };
  return (await packTar([{ header, body: bytes }])).subarray(0, -TAR_END.length);
}

/**
 * Reads an archive entry by entry, each as a whole.
 * @param before called with all bytes before each entry, in order.
 * @throws Error if it ends early, if an entry is too large, or if it is no archive.
 */
export async function* readTar(
  stream: AsyncIterable<Uint8Array>,
  before: (bytes: Uint8Array) => void = () => undefined,
): AsyncGenerator<TarEntry> {
  const waiting: Uint8Array[] = [];
  async function* watched() {
    for await (const bytes of stream) {
      waiting.push(bytes);
      yield bytes;
    }
  }
  let length = 0;
  for await (const { header, body } of streamParts(watched()).pipeThrough(
    createTarDecoder({ strict: true }),
  )) {
    for (const bytes of takeFrom(waiting, length)) before(bytes);
    if (header.size > ENTRY_BYTES_MAX) throw new Error("an entry is too large");
    length = BLOCK + Math.ceil(header.size / BLOCK) * BLOCK;
    yield { name: header.name, bytes: new Uint8Array(await new Response(body).arrayBuffer()) };
  }
}

function* takeFrom(chunks: Uint8Array[], length: number): Generator<Uint8Array> {
  for (let missing = length; missing > 0;) {
    const chunk = chunks.shift() ?? new Uint8Array(missing);
    yield chunk.subarray(0, missing);
    if (chunk.length > missing) chunks.unshift(chunk.subarray(missing));
    missing -= Math.min(missing, chunk.length);
  }
}
