import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import subsetFont from "subset-font";
import { ASCENT, axes, DESCENT, fonts } from "#client/build/fonts.ts";

test("the files of the font have the heights and the axes that the style sheets are told", async () => {
  for (const { file } of fonts) {
    const { heights, axes: ofFile } = await readFont(readFileSync(`client/fonts/${file}`));
    expect(heights).toEqual({ ascent: ASCENT, descent: DESCENT });
    expect(ofFile).toEqual({ wght: axes.weight, wdth: axes.width });
  }
});

/** The font's heights in percent of its size, and the ends of its axes. By the tables hhea and fvar of OpenType. */
async function readFont(font: Uint8Array) {
  const options = { targetFormat: "truetype", keepFeatures: [], noHinting: true, variationAxes: {} } as const;
  const { buffer, byteOffset, byteLength } = await subsetFont(font, "-", options);
  const data = new DataView(buffer, byteOffset, byteLength);
  const text = (at: number) =>
    String.fromCharCode(...Array.from({ length: 4 }, (_, nth) => data.getUint8(at + nth)));
  const tables = new Map(
    Array.from({ length: data.getUint16(4) }, (_, nth) => 12 + nth * 16).map((at) => [
      text(at),
      data.getUint32(at + 8),
    ]),
  );
  const startOf = (table: string) => tables.get(table) ?? Number.NaN;
  const percent = (units: number) => Math.round((units * 1_000) / data.getUint16(startOf("head") + 18)) / 10;
  const [hhea, fvar] = [startOf("hhea"), startOf("fvar")];
  const fixed = (at: number) => data.getInt32(at) / 65_536;
  const records = Array.from(
    { length: data.getUint16(fvar + 8) },
    (_, nth) => fvar + data.getUint16(fvar + 4) + nth * data.getUint16(fvar + 10),
  );
  return {
    heights: { ascent: percent(data.getInt16(hhea + 4)), descent: -percent(data.getInt16(hhea + 6)) },
    axes: Object.fromEntries(records.map((at) => [text(at), { min: fixed(at + 4), max: fixed(at + 12) }])),
  };
}
