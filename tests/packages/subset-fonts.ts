import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import subsetFont from "subset-font";
import { axes, fonts, type LetterRange } from "#client/build/fonts.ts";

/** The package that has the whole font, and the name with which its files begin. */
const whole = { packageName: "@fontsource-variable/archivo", files: "archivo" };
const pageFonts = path.join(import.meta.dir, "../../client/fonts");
const pictureFonts = path.join(import.meta.dir, "../../src/shares/fonts");

/** The faces in which pictures are drawn: a title's and a text's. */
const pictureFaces = [
  { name: "display", weight: 760, width: 112 },
  { name: "text", weight: 560, width: 100 },
] as const;

/** The letters of those faces by the file of the font that has them: the alphabets of most of Europe, Vietnam and Turkey. */
const pictureLetters: Record<string, readonly LetterRange[]> = {
  latin: fonts.flatMap(({ ranges }) => ranges),
  "latin-ext": [[0x100, 0x24f]],
  vietnamese: [
    [0x102, 0x103],
    [0x1a0, 0x1b0],
    [0x1ea0, 0x1ef9],
  ],
};

/** Keeps kerning, and the digits of equal width in which the style sheets show all numbers. */
const kept = { keepFeatures: ["kern", "tnum", "lnum"], noHinting: true };

/**
 * Makes the fonts in client/fonts from the whole font, and those that pictures are drawn with, beside its licence. They are
 * part of the repository, because making them takes longer than the rest of a build. Run it after a change in fonts.ts:
 * bun tests/packages/subset-fonts.ts
 */
async function subsetFonts(): Promise<void> {
  const source = readFont("latin");
  for (const { file, ranges } of fonts) {
    const font = await subsetFont(source, lettersIn(ranges), {
      ...kept,
      targetFormat: "woff2",
      variationAxes: { wght: axes.weight, wdth: axes.width },
    });
    writeFileSync(path.join(pageFonts, file), font);
  }
  await subsetPictureFonts();
  const licence = Bun.resolveSync(`${whole.packageName}/LICENSE`, import.meta.dir);
  for (const folder of [pageFonts, pictureFonts]) copyFileSync(licence, path.join(folder, "OFL.txt"));
}

/** The library that lays out pictures reads neither variable nor compressed fonts, so each face is a file of its own. */
async function subsetPictureFonts(): Promise<void> {
  for (const { name, weight, width } of pictureFaces) {
    for (const [script, ranges] of Object.entries(pictureLetters)) {
      const font = await subsetFont(readFont(script), lettersIn(ranges), {
        ...kept,
        targetFormat: "truetype",
        variationAxes: { wght: weight, wdth: width },
      });
      writeFileSync(path.join(pictureFonts, `${name}-${script}.ttf`), font);
    }
  }
}

function readFont(script: string): Uint8Array {
  const file = `${whole.packageName}/files/${whole.files}-${script}-standard-normal.woff2`;
  return readFileSync(Bun.resolveSync(file, import.meta.dir));
}

function lettersIn(ranges: readonly LetterRange[]): string {
  return ranges
    .flatMap(([first, last = first]) =>
      Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
    )
    .join("");
}

if (import.meta.main) await subsetFonts();
