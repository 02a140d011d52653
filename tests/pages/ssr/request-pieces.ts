import { expect } from "bun:test";
import { createBrotliDecompress, createGunzip, createZstdDecompress } from "node:zlib";

const decompressors = { zstd: createZstdDecompress, gzip: createGunzip, br: createBrotliDecompress };
type Encoding = keyof typeof decompressors;

export type PieceOptions = { encoding?: "identity" | Encoding; signal?: AbortSignal | null };

/** Requests a page. Its body is read as it comes from the wire. */
export async function requestPieces(
  url: URL,
  headers: Record<string, string>,
  { encoding = "identity", signal = null }: PieceOptions = {},
) {
  const response = await fetch(url, {
    headers: { ...headers, accept: "text/html", "accept-encoding": encoding },
    decompress: false,
    redirect: "manual",
    signal,
  });
  expect(response.headers.get("content-encoding") ?? "identity").toBe(encoding);
  const pieces = textOf(response, encoding);
  /** Reads until this text has come, or to the end. */
  const until = async (text: string | null) => {
    let read = "";
    while (text === null || !read.includes(text)) {
      const { done, value } = await pieces.next();
      if (done === true) break;
      read += value;
    }
    return read;
  };
  return { response, until, rest: () => until(null) };
}

async function* textOf({ body }: Response, encoding: "identity" | Encoding): AsyncGenerator<string, void> {
  if (body === null) return;
  const decoder = new TextDecoder();
  for await (const bytes of encoding === "identity" ? body : decompress(body, encoding)) {
    yield decoder.decode(bytes, { stream: true });
  }
}

/** The unpacked bytes, each as soon as it can be unpacked. */
function decompress(body: ReadableStream<Uint8Array>, encoding: Encoding): ReadableStream<Uint8Array> {
  const unpacking = decompressors[encoding]();
  return new ReadableStream({
    start: async (unpacked) => {
      unpacking.on("data", (bytes: Uint8Array) => unpacked.enqueue(bytes));
      unpacking.on("end", () => unpacked.close());
      for await (const bytes of body) unpacking.write(bytes);
      unpacking.end();
    },
  });
}
