import { describe, expect, test } from "bun:test";
import { constants, gunzipSync, zstdDecompressSync } from "node:zlib";
import { compressionFor, extendPageStart, preparePageStart } from "#src/ssr/compress-page.ts";
import { prepareDictionary } from "#src/ssr/dictionary.ts";

const START = `<!doctype html><title>Höhe “auf einen Blick”</title>${"<style>.a{color:red}</style>".repeat(900)}`;
const start = preparePageStart(START);
const dictionary = prepareDictionary(new TextEncoder().encode("<style>.a{color:red}</style>".repeat(900)));
const accepting = (encoding: string, headers = {}) =>
  compressionFor(
    new Request("http://localhost:3000/", { headers: { "accept-encoding": encoding, ...headers } }),
    dictionary,
  );
const available = { "available-dictionary": `:${dictionary.hash}:` };
const gzip = accepting("gzip, deflate, br, zstd");
const dcz = accepting("gzip, deflate, br, zstd, dcb, dcz", available);
const plain = accepting("identity");
const text = (bytes: Uint8Array<ArrayBuffer>) => new TextDecoder().decode(bytes);

/** Pages of all sizes, the empty one included. */
const pages = ["", "x", "<p>Größe – 10 €</p>", "<i>tick</i>".repeat(20_000)];

describe("a page of a start and a part of its own is one gzip stream", () => {
  test("for zlib and for Bun", () => {
    for (const page of pages) {
      const bytes = gzip.whole(start, page);
      expect(gunzipSync(bytes).toString()).toBe(START + page);
      expect(text(Bun.gunzipSync(bytes))).toBe(START + page);
    }
  });

  test("for fetch and for the decompression of browsers", async () => {
    for (const page of pages) {
      const stream = new Blob([gzip.whole(start, page)]).stream();
      const unpacked = stream.pipeThrough(new DecompressionStream("gzip"));
      expect(await new Response(unpacked).text()).toBe(START + page);
    }
  });

  test("and the start is compressed better than it would be with the page", () => {
    expect(gzip.whole(start, "").length).toBeLessThan(Bun.gzipSync(START, { level: 1 }).length);
  });
});

describe("for a browser with the dictionary a page is Zstandard", () => {
  const unpack = (bytes: Uint8Array) =>
    zstdDecompressSync(bytes, { dictionary: dictionary.bytes }).toString();

  test("that begins with the dictionary's SHA-256 and has the start in some bytes", () => {
    expect(dcz.encoding).toBe("dcz");
    for (const page of pages) {
      const bytes = dcz.whole(start, page);
      expect(unpack(bytes)).toBe(START + page);
      expect(Buffer.from(bytes.subarray(8, 40)).toString("base64")).toBe(dictionary.hash);
    }
    expect(dcz.whole(start, "").length).toBeLessThan(200);
  });

  test("also where the start is extended, and in pieces that can each be read at once", () => {
    const writer = dcz.inPieces(extendPageStart(start, "<title>élan</title>"));
    const sent = [writer.write("<p>one"), writer.write("</p><p>zwölf"), writer.end("</p>")];
    const all = `${START}<title>élan</title>`;
    const readable = sent.map((_, index) => unpack(Buffer.concat(sent.slice(0, index + 1))));
    expect(readable).toEqual([`${all}<p>one`, `${all}<p>one</p><p>zwölf`, `${all}<p>one</p><p>zwölf</p>`]);
  });

  test("and gzip for one with another dictionary, or none that it would use", () => {
    const other = prepareDictionary(new TextEncoder().encode("of another release")).hash;
    const named = (hash: string) => ({ "available-dictionary": hash });
    expect(accepting("gzip, dcz", named(`:${other}:`)).encoding).toBe("gzip");
    for (const hash of [dictionary.hash, ":", "::", `:${dictionary.hash.slice(1)}:`, "x".repeat(9_000)])
      expect(accepting("gzip, dcz", named(hash)).encoding).toBe("gzip");
    expect(accepting("gzip, zstd", available).encoding).toBe("gzip");
    expect(accepting("gzip, dcz").encoding).toBe("gzip");
  });
});

test("without compression the page is the same text", () => {
  for (const page of pages) expect(text(plain.whole(start, page))).toBe(START + page);
});

test("in pieces, each piece can be read at once, and all of them are one stream", () => {
  for (const compression of [gzip, plain]) {
    const writer = compression.inPieces(start);
    const sent = [writer.write("<p>one"), writer.write("</p><p>zwölf"), writer.end("</p>")];
    const unpack = (bytes: Buffer) =>
      // An unfinished stream is unpacked as far as it goes.
      compression === plain ? bytes : gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    const readable = sent.map((_, index) => unpack(Buffer.concat(sent.slice(0, index + 1))).toString());
    expect(readable).toEqual([
      `${START}<p>one`,
      `${START}<p>one</p><p>zwölf`,
      `${START}<p>one</p><p>zwölf</p>`,
    ]);
    if (compression === gzip) expect(gunzipSync(Buffer.concat(sent)).toString()).toBe(readable[2] ?? "");
  }
});

test("a page that ends with its first piece is whole", () => {
  expect(gunzipSync(gzip.inPieces(start).end("<p>")).toString()).toBe(`${START}<p>`);
  expect(text(plain.inPieces(start).end("<p>"))).toBe(`${START}<p>`);
});
