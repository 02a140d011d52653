import { expect, test } from "bun:test";
import { chooseEncoding, type Encoding } from "#src/http/choose-encoding.ts";

const offered = ["zstd", "br", "gzip"] as const;
const choose = (accepted: string | null, encodings: readonly Encoding[] = offered) => {
  const headers = accepted === null ? undefined : { "accept-encoding": accepted };
  return chooseEncoding(new Request("http://localhost:3000/", headers && { headers }), encodings);
};

const cases: [why: string, accepted: string | null, chosen: Encoding | null][] = [
  ["no header", null, null],
  ["an empty header", "", null],
  ["one coding", "gzip", "gzip"],
  ["the server's preference among equals", "gzip, deflate, br, zstd", "zstd"],
  ["the same with equal weights", "gzip;q=0.5, br;q=0.5", "br"],
  ["the client's preference", "zstd;q=0.5, br;q=0.8, gzip;q=0.75", "br"],
  ["weights of three digits", "br;q=0.001, gzip;q=0.002", "gzip"],
  ["a refused coding", "gzip;q=0", null],
  ["a refused coding among others", "br;q=0, gzip", "gzip"],
  ["refused codings with digits", "zstd;q=0.000, br;q=0.0, gzip;q=0.", null],
  ["any coding", "*", "zstd"],
  ["any coding but one", "zstd;q=0, *", "br"],
  ["any coding, and one that is preferred", "*;q=0.5, gzip", "gzip"],
  ["no coding but one", "gzip, *;q=0", "gzip"],
  ["nothing at all", "*;q=0", null],
  ["identity alone", "identity", null],
  ["identity among equals", "identity, gzip", "gzip"],
  ["identity preferred", "identity, gzip;q=0.5", null],
  ["identity refused", "identity;q=0, gzip;q=0.1", "gzip"],
  ["identity refused, and no other named", "identity;q=0", null],
  ["identity refused, any other accepted", "identity;q=0, *", "zstd"],
  ["upper case", "GZIP;Q=0.5, BR;q=0.4", "gzip"],
  ["spaces and tabs", " br ; q=0 ,\tgzip\t;\tq=1.000 ", "gzip"],
  ["the older name of gzip", "x-gzip", "gzip"],
  ["the older name of gzip, refused", "X-GZip;q=0, br;q=0.1", "br"],
  ["empty members", ", ,gzip,", "gzip"],
  ["unknown codings", "dcz, compress, deflate", null],
  ["names that contain ours", "gzipped, brotli, zstd2", null],
  ["what is no weight", "zstd;q=2, br;q=a, gzip;q=0.1", "gzip"],
  ["an unknown parameter", "br;level=1, gzip", "gzip"],
];

for (const [why, accepted, chosen] of cases)
  test(`the encoding is chosen by Accept-Encoding, ${why}: ${accepted} gives ${chosen ?? "identity"}`, () =>
    expect(choose(accepted)).toBe(chosen));

test("the encoding is chosen by Accept-Encoding only of what is offered, in its order", () => {
  expect(choose("gzip, br, zstd", ["gzip", "br"])).toBe("gzip");
  expect(choose("zstd, br;q=0", ["gzip", "br"])).toBeNull();
  expect(choose("*, gzip;q=0", ["gzip"])).toBeNull();
  expect(choose("gzip", [])).toBeNull();
});
