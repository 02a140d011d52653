import type { Transform } from "node:stream";
import {
  brotliCompressSync,
  constants,
  crc32,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  deflateRawSync,
} from "node:zlib";
import type { Encoding } from "#src/http/choose-encoding.ts";

// Decision: one standard compression, chosen by `Accept-Encoding` (src/http/choose-encoding.ts), at the lowest levels. CPU time
// and size of an Action page of 70 KB: zstd 113 us and 19.2 KB, gzip by libdeflate 165 us and 18.4 KB (by zlib, for pages
// in pieces, 135 us and 24.3 KB), brotli 117 us and 20.4 KB. The next levels cost 15 to 70 % more CPU for 1 to 3 % fewer bytes
// (zlib twice as much, for 21 %).
//
// Decision: what many pages have in common, the styles above all, is compressed once, better, and as gzip, whose blocks can be joined: a
// first visit then takes 60 us instead of 360, and 24.0 KB instead of 27.4. A zstd text can only be joined frame by frame, and clients
// that read the first frame alone are many.

type Bytes = Uint8Array<ArrayBuffer>;

/** What pages can be compressed with, in the server's order of preference. */
export const pageEncodings: readonly Encoding[] = ["zstd", "gzip", "br"];

/** The same for a complete page, from its start: one that carries styles is joined. */
export function wholePageEncodings({ start }: Pick<WholePage, "start">): readonly Encoding[] {
  return start.length < JOINED_MIN ? pageEncodings : ["gzip", "zstd", "br"];
}

/** From this length on, in UTF-16 units, a start is compressed once. */
const JOINED_MIN = 8_192;
const zstdLevel = 1;
const gzipLevel = 1;
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 0 };
const encoder = new TextEncoder();
const MEMORY_BYTES = 262_144;
/** What a UTF-16 unit takes in UTF-8 at most. */
const UNIT_BYTES_MAX = 3;

const compressors: Record<Encoding, { whole: (page: Bytes) => Bytes; inPieces: () => Transform }> = {
  zstd: {
    whole: (page) => new Uint8Array(Bun.zstdCompressSync(page, { level: zstdLevel })),
    inPieces: () =>
      createZstdCompress({
        flush: constants.ZSTD_e_flush,
        params: { [constants.ZSTD_c_compressionLevel]: zstdLevel },
      }),
  },
  gzip: {
    whole: (page) => Bun.gzipSync(page, { level: gzipLevel, library: "libdeflate" }),
    inPieces: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: gzipLevel }),
  },
  br: {
    whole: (page) => brotliCompressSync(page, { params: brotliParams }),
    inPieces: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: brotliParams }),
  },
};

/** A complete page: what it begins with, what many pages have there in common, and what follows. */
type WholePage = { opening: string; start: string; parts: readonly string[] };

/** Compresses a complete page. @param encoding null for none. */
export function compressPage({ opening, start, parts }: WholePage, encoding: Encoding | null): Bytes {
  if (encoding === "gzip" && start.length >= JOINED_MIN) return joinGzip({ opening, start, parts });
  const page = encode([opening, start, ...parts]);
  return encoding === null ? page.slice() : compressors[encoding].whole(page);
}

/** A gzip header without a time or a name (RFC 1952, 2.3). */
const gzipHeader = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const GZIP_TRAILER_BYTES = 8;

/** One gzip member of deflate blocks that were made apart: none refers to text before its own part (RFC 1951, 2). */
function joinGzip({ opening, start, parts }: WholePage): Bytes {
  const kept = keptStart(start);
  const first = encode([opening]);
  const openingBlocks = deflateRawSync(first, openBlocks);
  let crc = crc32(kept.text, crc32(first));
  let length = first.length + kept.text.length;
  const last = encode(parts);
  crc = crc32(last, crc);
  length += last.length;
  const trailer = new DataView(new ArrayBuffer(GZIP_TRAILER_BYTES));
  trailer.setUint32(0, crc, true);
  trailer.setUint32(GZIP_TRAILER_BYTES / 2, length, true);
  return Buffer.concat([
    gzipHeader,
    openingBlocks,
    kept.blocks,
    Bun.deflateSync(last, { level: gzipLevel, library: "libdeflate" }),
    new Uint8Array(trailer.buffer),
  ]);
}

/** Blocks that others may follow. */
const openBlocks = { level: gzipLevel, finishFlush: constants.Z_SYNC_FLUSH };
const keptStarts = new Map<string, { text: Bytes; blocks: Uint8Array }>();

function keptStart(start: string): { text: Bytes; blocks: Uint8Array } {
  const known = keptStarts.get(start);
  if (known !== undefined) return known;
  const text = encoder.encode(start);
  const kept = { text, blocks: deflateRawSync(text, { ...openBlocks, level: constants.Z_BEST_COMPRESSION }) };
  keptStarts.set(start, kept);
  return kept;
}

/** Where pages are encoded, one after the other. It grows with the largest page. */
let memory = new Uint8Array(MEMORY_BYTES);

/**
 * Encodes a text in UTF-8, part by part: joined first, one letter outside Latin-1 would make twice as many bytes of all of it.
 * @returns bytes that are valid until the next page.
 */
function encode(parts: readonly string[]): Bytes {
  const bytesMax = parts.reduce((sum, part) => sum + UNIT_BYTES_MAX * part.length, 0);
  if (bytesMax > memory.length) memory = new Uint8Array(bytesMax);
  let length = 0;
  for (const part of parts) length += encoder.encodeInto(part, memory.subarray(length)).written;
  return memory.subarray(0, length);
}

/** Compresses a page that is sent in pieces. Each piece is flushed, so the browser can read it at once. */
export function compressPieces(
  pieces: ReadableStream<Bytes>,
  encoding: Encoding | null,
): ReadableStream<Uint8Array> {
  return encoding === null ? pieces : pieces.pipeThrough(through(compressors[encoding].inPieces()));
}

/** Node's stream as one of the web. */
function through(compressor: Transform): TransformStream<Bytes, Uint8Array> {
  return new TransformStream({
    start: (compressed) => {
      compressor.on("data", (bytes: Uint8Array) => compressed.enqueue(bytes));
      compressor.on("error", (error) => compressed.error(error));
    },
    transform: (piece) => new Promise((resolve) => void compressor.write(piece, () => resolve())),
    flush: () => new Promise((resolve) => void compressor.once("end", resolve).end()),
  });
}
