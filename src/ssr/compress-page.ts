import { constants, crc32, deflateRawSync } from "node:zlib";
import { availableHash, compressWith, type Dictionary } from "./dictionary.ts";

// Decision: pages are compressed with gzip, which every client accepts. It consists of blocks that may be compressed
// apart, so the start of a page, which is the same for all viewers, is compressed once and with the highest level, and each page
// compresses only its own part. At the lowest level libdeflate takes half the time of zstd, for the same size.
// A browser that has the dictionary of the pages gets Zstandard, whose frames are compressed apart in the same way: the start,
// most of which is styles, is then some 60 bytes instead of 12 KB.

type Bytes = Uint8Array<ArrayBuffer>;

/** The text that many pages begin with, as it is and compressed. */
export type PageStart = {
  plain: Bytes;
  gzip: Bytes;
  crc: number;
  /** The start that this one extends; null for one of its own. */
  base: PageStart | null;
};

/** A page that is sent in pieces. Every piece can be read at once: none of it is kept back. */
export type PageWriter = { write: (html: string) => Bytes; end: (html: string) => Bytes };

/** How pages are compressed for one `accept-encoding`. */
export type Compression = {
  /** For the header `content-encoding`; null: not at all. */
  encoding: "gzip" | "dcz" | null;
  whole: (start: PageStart, html: string) => Bytes;
  /** The first piece begins with the start. */
  inPieces: (start: PageStart) => PageWriter;
};

const encoder = new TextEncoder();
/** Deflate, no flags, no time, no level, unknown system. */
const GZIP_HEADER = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const TRAILER_BYTES = 8;
const NOTHING: Bytes = new Uint8Array();

/** Compresses the text that many pages begin with. */
export function preparePageStart(text: string): PageStart {
  const plain = encoder.encode(text);
  const deflated = deflateRawSync(plain, {
    level: constants.Z_BEST_COMPRESSION,
    // Ends at a whole byte, and not the stream.
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  return { plain, gzip: joined([GZIP_HEADER, deflated]), crc: crc32(plain), base: null };
}

/** The start with more text that many pages have in common, which changes more often. */
export function extendPageStart(start: PageStart, text: string): PageStart {
  const bytes = encoder.encode(text);
  const deflated = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  return {
    plain: joined([start.plain, bytes]),
    gzip: joined([start.gzip, deflated]),
    crc: crc32(bytes, start.crc),
    base: start,
  };
}

const gzip: Compression = {
  encoding: "gzip",
  whole: (start, html) => {
    const bytes = encoder.encode(html);
    const size = start.plain.length + bytes.length;
    return joined([start.gzip, deflateLast(bytes), trailer(crc32(bytes, start.crc), size)]);
  },
  inPieces: (start) => {
    let { crc, gzip: unsent } = start;
    let size = start.plain.length;
    const add = (html: string): Bytes => {
      const bytes = encoder.encode(html);
      crc = crc32(bytes, crc);
      size += bytes.length;
      return bytes;
    };
    return {
      write: (html) => {
        const piece = joined([
          unsent,
          deflateRawSync(add(html), { level: 1, finishFlush: constants.Z_SYNC_FLUSH }),
        ]);
        unsent = NOTHING;
        return piece;
      },
      end: (html) => joined([unsent, deflateLast(add(html)), trailer(crc, size)]),
    };
  },
};

const uncompressed = piecewise(
  null,
  ({ plain }) => plain,
  (html) => encoder.encode(html),
);

/** The compressed starts, by dictionary. */
const framesOf = new WeakMap<Dictionary, WeakMap<PageStart, Bytes>>();

function zstandard(dictionary: Dictionary): Compression {
  const frames = framesOf.get(dictionary) ?? new WeakMap<PageStart, Bytes>();
  framesOf.set(dictionary, frames);
  const compressStart = (start: PageStart): Bytes => {
    const known = frames.get(start);
    if (known !== undefined) return known;
    const { base, plain } = start;
    const before = base === null ? dictionary.header : compressStart(base);
    const compressed = joined([before, compressWith(dictionary, plain.subarray(base?.plain.length ?? 0))]);
    frames.set(start, compressed);
    return compressed;
  };
  return piecewise("dcz", compressStart, (html) => Bun.zstdCompressSync(encoder.encode(html), { level: 1 }));
}

/** A page of which each piece is complete. */
function piecewise(
  encoding: Compression["encoding"],
  startOf: (start: PageStart) => Bytes,
  compress: (html: string) => Uint8Array,
): Compression {
  return {
    encoding,
    whole: (start, html) => joined([startOf(start), compress(html)]),
    inPieces: (start) => {
      let unsent = startOf(start);
      const piece = (html: string): Bytes => {
        const bytes = joined([unsent, compress(html)]);
        unsent = NOTHING;
        return bytes;
      };
      return { write: piece, end: piece };
    },
  };
}

/** The best compression that the client accepts. @param dictionary of the pages. */
export function compressionFor(request: Request, dictionary: Dictionary): Compression {
  if (availableHash(request) === dictionary.hash) return zstandard(dictionary);
  return request.headers.get("accept-encoding")?.includes("gzip") === true ? gzip : uncompressed;
}

function deflateLast(bytes: Bytes): Uint8Array {
  return Bun.deflateSync(bytes, { level: 1, library: "libdeflate" });
}

/** The end of a gzip stream: the checksum and the size of the text, in little endian. */
function trailer(crc: number, size: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(TRAILER_BYTES));
  bytes.setUint32(0, crc, true);
  bytes.setUint32(4, size, true);
  return new Uint8Array(bytes.buffer);
}

function joined(parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
