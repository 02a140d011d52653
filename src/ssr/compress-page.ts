import { constants, createGzip, createZstdCompress } from "node:zlib";

const GZIP_LEVEL = 1;
const ZSTD_LEVEL = 3;

type Bytes = Uint8Array<ArrayBuffer>;
/** Takes a page in pieces. Every piece leaves at once: the compressor keeps none of it back. */
export type PageWriter = { write: (html: string) => void; end: () => void; destroy: () => void };
type Sent = {
  onBytes: (bytes: Uint8Array) => void;
  onEnd: () => void;
  onError: (error: Error) => void;
};

/** How pages are compressed for one `accept-encoding`. */
export type Compression = {
  /** For the header `content-encoding`; null: not at all. */
  encoding: "zstd" | "gzip" | null;
  whole: (html: string) => Bytes;
  inPieces: (sent: Sent) => PageWriter;
};

const encoder = new TextEncoder();

const zstd: Compression = {
  encoding: "zstd",
  whole: (html) => new Uint8Array(Bun.zstdCompressSync(encoder.encode(html), { level: ZSTD_LEVEL })),
  inPieces: (sent) =>
    throughStream(
      createZstdCompress({
        flush: constants.ZSTD_e_flush,
        params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL },
      }),
      sent,
    ),
};
const gzip: Compression = {
  encoding: "gzip",
  whole: (html) => Bun.gzipSync(encoder.encode(html), { level: GZIP_LEVEL }),
  inPieces: (sent) => throughStream(createGzip({ level: GZIP_LEVEL, flush: constants.Z_SYNC_FLUSH }), sent),
};
const uncompressed: Compression = {
  encoding: null,
  whole: (html) => encoder.encode(html),
  inPieces: ({ onBytes, onEnd }) => ({
    write: (html) => onBytes(encoder.encode(html)),
    end: onEnd,
    destroy: () => undefined,
  }),
};

/** The best compression that the client accepts. */
export function compressionFor(request: Request): Compression {
  const accepted = request.headers.get("accept-encoding") ?? "";
  if (accepted.includes("zstd")) return zstd;
  return accepted.includes("gzip") ? gzip : uncompressed;
}

function throughStream(
  stream: ReturnType<typeof createGzip> | ReturnType<typeof createZstdCompress>,
  { onBytes, onEnd, onError }: Sent,
): PageWriter {
  stream.on("data", onBytes);
  stream.on("end", onEnd);
  stream.on("error", onError);
  return {
    write: (html) => void stream.write(html),
    end: () => void stream.end(),
    destroy: () => void stream.destroy(),
  };
}
