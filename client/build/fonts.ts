// Another font is another package in tests/packages/subset-fonts.ts, package.json and knip.json, its name here and in the two places
// that `FAMILY` names, and its measures below. `bun tests/packages/subset-fonts.ts` then makes the files.

/** The first and the last code point of a range; without the last it is one letter. */
export type LetterRange = readonly [first: number, last?: number];

/** The font's name for browsers. `--font` in client/styles/tokens.css begins with it, and so does the board of the queues (jobs/board-look.ts). */
export const FAMILY = "Archivo Variable";

/** What the style sheets use of the font's weights, and of its widths in percent. */
export const axes = { weight: { min: 400, max: 900 }, width: { min: 100, max: 112 } };

/**
 * The files of the font. A browser fetches only those of which the page shows a letter: the first one on every page, the
 * second one mostly for names.
 */
export const fonts: readonly { file: string; ranges: readonly LetterRange[] }[] = [
  {
    file: "basic.woff2",
    // ASCII, the space that does not break, and the dashes, quotes, ellipsis, dot and arrow of the product's texts.
    ranges: [[0x20, 0x7e], [0xa0], [0xb7], [0x2013], [0x2018, 0x2019], [0x201c, 0x201d], [0x2026], [0x2192]],
  },
  {
    file: "more.woff2",
    ranges: [
      [0xa1, 0xb6],
      [0xb8, 0xff],
      [0x131],
      [0x152, 0x153],
      [0x178],
      [0x2014],
      [0x201a],
      [0x201e],
      [0x2020, 0x2022],
      [0x2030],
      [0x2039, 0x203a],
      [0x20ac],
      [0x2122],
      [0x2190, 0x2191],
      [0x2193],
      [0x2212],
      [0x2264, 0x2265],
    ],
  },
];

/** A file of the font as the page asks for it. */
export type FontFile = { url: string; weight: string; stretch: string; unicodeRange: string };

/** @param url the file's address. */
export function fontFile(url: string, ranges: readonly LetterRange[]): FontFile {
  const { weight, width } = axes;
  return {
    url,
    weight: `${weight.min} ${weight.max}`,
    stretch: `${width.min}% ${width.max}%`,
    unicodeRange: inCss(ranges),
  };
}

/**
 * The `@font-face` rules of the files. A letter of the second file is shown in the fallback until the file is there.
 * @param display how the first file is shown: `optional` from the first paint on or not on this page, `swap` whenever it arrives.
 */
export function fontFaces(files: readonly FontFile[], display: "optional" | "swap"): string {
  const faces = files.map(
    ({ url, weight, stretch, unicodeRange }, index) =>
      `@font-face { font-family: "${FAMILY}"; src: url("${url}") format("woff2-variations"); font-weight: ${weight}; font-stretch: ${stretch}; font-display: ${index === 0 ? display : "swap"}; unicode-range: ${unicodeRange}; }`,
  );
  return faces.join("\n");
}

/** The font's height above and below the line, in percent of its size: ascender and descender of its `hhea` table. */
export const [ASCENT, DESCENT] = [87.8, 21] as const;

/**
 * Fonts of the system and how much they have to be scaled, in percent, to be as wide as the font in the product's texts: so a page has
 * the same room for them. A text may still wrap differently. `wide` is for titles.
 */
const fallbacks = [
  {
    family: "Fallback Arial",
    regular: ["Arial", "Liberation Sans", "Helvetica"],
    bold: ["Arial Bold", "Liberation Sans Bold", "Helvetica Bold"],
    scale: { regular: 99, bold: 98, wide: 111 },
  },
  {
    family: "Fallback Roboto",
    regular: ["Roboto", "Roboto Regular"],
    bold: ["Roboto Bold"],
    scale: { regular: 100, bold: 105, wide: 117 },
  },
  {
    family: "Fallback DejaVu",
    regular: ["DejaVu Sans"],
    bold: ["DejaVu Sans Bold"],
    scale: { regular: 87.5, bold: 81.5, wide: 92.5 },
  },
];

type FallbackFace = {
  family: string;
  /** The fonts of the system, as they name themselves. */
  names: readonly string[];
  weight: string;
  stretch: string;
  scale: number;
};

/** The faces of the fallback fonts. */
export const fallbackFaces = fallbacks.flatMap(({ family, regular, bold, scale }): FallbackFace[] => [
  { family, names: regular, weight: "100 599", stretch: "100% 112%", scale: scale.regular },
  { family, names: bold, weight: "600 900", stretch: "100% 107%", scale: scale.bold },
  { family, names: bold, weight: "600 900", stretch: "108% 112%", scale: scale.wide },
]);

/** The measures of a face as a style sheet writes them: scaled, it is as high above and below the line as the font. */
export function measuresOf({ weight, stretch, scale }: FallbackFace) {
  const scaled = (height: number) => `${((height / scale) * 100).toFixed(1)}%`;
  return {
    "font-weight": weight,
    "font-stretch": stretch,
    "size-adjust": `${scale}%`,
    "ascent-override": scaled(ASCENT),
    "descent-override": scaled(DESCENT),
    "line-gap-override": "0%",
  };
}

/** Their `@font-face` rules. Nothing is fetched for them. */
export const fallbackStyles = fallbackFaces
  .map((face) => {
    const source = face.names.map((name) => `local("${name}")`).join(",");
    const measures = Object.entries(measuresOf(face)).map(([name, value]) => `${name}: ${value};`);
    return `@font-face { font-family: "${face.family}"; src: ${source}; ${measures.join(" ")} }`;
  })
  .join("\n");

/** Ranges as a style sheet writes them: "U+20-7e,U+a0". */
function inCss(ranges: readonly LetterRange[]): string {
  return ranges
    .map(([first, last]) => {
      const from = first.toString(16);
      return last === undefined ? `U+${from}` : `U+${from}-${last.toString(16)}`;
    })
    .join(",");
}
