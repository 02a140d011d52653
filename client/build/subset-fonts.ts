import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import subsetFont from "subset-font";
import { axes, fonts, type LetterRange } from "./fonts.ts";

const SOURCE = "@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2";

/**
 * Makes the fonts in client/fonts from the whole Archivo. They are part of the repository, because making them takes longer than
 * the rest of a build. Run it after a change in fonts.ts: bun client/build/subset-fonts.ts
 */
async function subsetFonts(): Promise<void> {
  const source = readFileSync(Bun.resolveSync(SOURCE, import.meta.dir));
  for (const { file, ranges } of fonts) {
    const font = await subsetFont(source, lettersIn(ranges), {
      targetFormat: "woff2",
      // Kerning, and the digits of equal width in which the style sheets show all numbers.
      keepFeatures: ["kern", "tnum", "lnum"],
      noHinting: true,
      variationAxes: { wght: axes.weight, wdth: axes.width },
    });
    writeFileSync(path.join(import.meta.dir, "../fonts", file), font);
  }
}

function lettersIn(ranges: readonly LetterRange[]): string {
  return ranges
    .flatMap(([first, last = first]) =>
      Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
    )
    .join("");
}

if (import.meta.main) await subsetFonts();
