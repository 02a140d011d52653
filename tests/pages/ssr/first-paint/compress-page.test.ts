import { describe, expect, test } from "bun:test";
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createZstdDecompress,
  gunzipSync,
  zstdDecompressSync,
} from "node:zlib";
import {
  compressPage,
  compressPieces,
  pageEncodings,
  wholePageEncodings,
} from "#src/pages/ssr/compress-page.ts";

const decompress = { zstd: zstdDecompressSync, gzip: gunzipSync, br: brotliDecompressSync };
const decompressor = { zstd: createZstdDecompress, gzip: createGunzip, br: createBrotliDecompress };

/** Pages of all sizes, the empty one included. The last needs more memory than any before it. */
const pages = ["", "x", "<p>Größe – 10 €</p>", "<i>tick</i>".repeat(20_000), "<b>10 €</b>".repeat(30_000)];
const compressed = (page: string, encoding: (typeof pageEncodings)[number] | null) =>
  compressPage(
    { opening: page.slice(0, 2), start: page.slice(2, 7), parts: [page.slice(7, 9), page.slice(9), ""] },
    encoding,
  );

test("a page that carries styles is one gzip member, whose styles are compressed once", () => {
  const page = {
    opening: "<title>Größe</title>",
    start: `<style>${".a{color:red}".repeat(2_000)}</style>`,
    parts: ["<p>10 €</p>", "<i>tick</i>".repeat(20_000)],
  };
  expect(wholePageEncodings(page)[0]).toBe("gzip");
  const text = page.opening + page.start + page.parts.join("");
  for (const encoding of [...pageEncodings, "gzip" as const]) {
    expect(decompress[encoding](compressPage(page, encoding)).toString()).toBe(text);
  }
});

test("zstd is preferred, because it takes the least CPU, and brotli is the last", () => {
  expect(pageEncodings).toEqual(["zstd", "gzip", "br"]);
});

for (const encoding of pageEncodings) {
  describe(encoding, () => {
    test("a whole page has the same text", () => {
      for (const page of pages)
        expect(decompress[encoding](compressed(page, encoding)).toString()).toBe(page);
    });

    test("each piece of a page can be read before the next is there, and all of them are one stream", async () => {
      const { pieces, send, end } = openPieces();
      const unpacked = decompressor[encoding]();
      const all: Uint8Array[] = [];
      const sending = (async () => {
        for await (const bytes of compressPieces(pieces, encoding)) {
          all.push(bytes);
          unpacked.write(bytes);
        }
        unpacked.end();
      })();
      const reader = unpacked[Symbol.asyncIterator]();
      const decoder = new TextDecoder();
      let expected = "";
      let read = "";
      for (const page of [...pages.slice(1), "</html>"]) {
        send(page);
        expected += page;
        while (read.length < expected.length) {
          const { value } = await reader.next();
          read += decoder.decode(value, { stream: true });
        }
        expect(read).toBe(expected);
      }
      end();
      await sending;
      expect(decompress[encoding](Buffer.concat(all)).toString()).toBe(expected);
    });

    test("a client that leaves ends the pieces", async () => {
      const { pieces, send, left } = openPieces();
      const reader = compressPieces(pieces, encoding).getReader();
      send("<p>");
      await reader.read();
      await reader.cancel();
      await left;
    });
  });
}

test("without an encoding a page is its own text, whole and in pieces", async () => {
  const plain = pages.map((page) => compressed(page, null));
  expect(plain.map((page) => new TextDecoder().decode(page))).toEqual(pages);
  const { pieces, send, end } = openPieces();
  for (const piece of pages) send(piece);
  end();
  expect(await new Response(compressPieces(pieces, null)).text()).toBe(pages.join(""));
});

/** A page whose pieces are sent by hand. */
function openPieces() {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const encoder = new TextEncoder();
  let stream: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | null = null;
  const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      stream = controller;
    },
    cancel: () => resolve(),
  });
  return {
    pieces,
    send: (html: string) => stream?.enqueue(encoder.encode(html)),
    end: () => stream?.close(),
    left,
  };
}
