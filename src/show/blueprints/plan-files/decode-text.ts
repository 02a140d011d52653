// Decision: what is no UTF-8 was saved by a spreadsheet in the letters of its country. The languages of the browser say which one that
// may be; of those the one is taken in which fewest words are odd: "MŸller" was saved by a Mac, "Ïåðâûé" in Russia.

/** The encodings that people may choose, with what they are called, and the languages whose spreadsheets save them. */
const encodings: Readonly<Record<string, { label: string; languages: string }>> = {
  "utf-8": { label: "Unicode (UTF-8)", languages: "" },
  "windows-1252": {
    label: "Western Europe (Windows-1252)",
    languages: "en de fr es it pt nl sv da nb nn no fi is ca",
  },
  macintosh: {
    label: "Western Europe (Mac Roman)",
    languages: "en de fr es it pt nl sv da nb nn no fi is ca",
  },
  "windows-1250": { label: "Central Europe (Windows-1250)", languages: "pl cs sk hu sl hr bs ro sq" },
  "windows-1251": { label: "Cyrillic (Windows-1251)", languages: "ru uk bg be mk sr kk" },
  "x-mac-cyrillic": { label: "Cyrillic (Mac)", languages: "ru uk bg be mk sr" },
  "windows-1253": { label: "Greek (Windows-1253)", languages: "el" },
  "windows-1254": { label: "Turkish (Windows-1254)", languages: "tr az" },
  "windows-1255": { label: "Hebrew (Windows-1255)", languages: "he iw yi" },
  "windows-1256": { label: "Arabic (Windows-1256)", languages: "ar fa ur" },
  "windows-1257": { label: "Baltic (Windows-1257)", languages: "lt lv et" },
  "windows-1258": { label: "Vietnamese (Windows-1258)", languages: "vi" },
  "windows-874": { label: "Thai (Windows-874)", languages: "th" },
  shift_jis: { label: "Japanese (Shift_JIS)", languages: "ja" },
  "euc-kr": { label: "Korean (EUC-KR)", languages: "ko" },
  gb18030: { label: "Simplified Chinese (GB 18030)", languages: "zh zh-cn zh-sg zh-hans" },
  big5: { label: "Traditional Chinese (Big5)", languages: "zh-tw zh-hk zh-hant" },
  "utf-16le": { label: "Unicode (UTF-16)", languages: "" },
};
const FALLBACK = "windows-1252";
const FIRST_BYTES = 400;
/** So much of a text is compared. */
const COMPARED_LENGTH = 20_000;

/** The encodings, for a choice. */
export const encodingChoices = Object.entries(encodings).map(([value, { label }]) => ({ value, label }));

/** True for the name of an encoding that may be chosen. */
export function isEncoding(name: string): boolean {
  return Object.hasOwn(encodings, name);
}

/** A file's bytes as text. @param encoding one of those that may be chosen. */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes).replaceAll("\0", "");
}

/** The encoding of a file. @param languages those of the browser, the preferred one first: "ru-RU", "en". */
export function guessEncoding(
  bytes: Uint8Array,
  languages: readonly string[],
): { encoding: string; isSure: boolean } {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || isWide(bytes)) return { encoding: "utf-16le", isSure: true };
  if (tryDecode(bytes, "utf-8") !== null) return { encoding: "utf-8", isSure: true };
  const preferred = [...languages.flatMap((language) => encodingsOf(language)), FALLBACK, "macintosh"];
  const compared = bytes.subarray(0, COMPARED_LENGTH);
  const judged = [...new Set(preferred)].flatMap((encoding) => {
    const text = tryDecode(bytes, encoding) === null ? null : decodeText(compared, encoding);
    return text === null ? [] : [{ encoding, odd: countOdd(text, encoding) }];
  });
  const [best] = judged.toSorted((one, other) => one.odd - other.odd);
  return { encoding: best?.encoding ?? FALLBACK, isSure: false };
}

function encodingsOf(language: string): string[] {
  const exact = language.toLowerCase();
  const [plain = ""] = exact.split("-");
  const of = (wanted: string) =>
    Object.entries(encodings).flatMap(([encoding, { languages }]) =>
      languages.split(" ").includes(wanted) ? [encoding] : [],
    );
  const found = of(exact);
  return found.length > 0 ? found : of(plain);
}

function tryDecode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Text in UTF-16 without a mark has a zero in every second byte. */
function isWide(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, FIRST_BYTES);
  const zeros = start.filter((byte, index) => index % 2 === 1 && byte === 0).length;
  return zeros > start.length / 4;
}

/** What hardly any word has: a capital or a sign inside it, letters of two scripts, two accented letters in a row, and no letter at all. */
const odd = [
  /\p{Ll}(?=\p{Lu})|\p{L}(?=\p{Lu}\p{Ll})/gu,
  /\p{L}(?=[^\p{ASCII}\p{L}\p{M}’–—…\s][\p{L}])/gu,
  /\p{Script=Latin}(?=(?!\p{Script=Latin})\p{L})|(?!\p{Script=Latin})\p{L}(?=\p{Script=Latin})/gu,
  /(?=[^\p{ASCII}])\p{Script=Latin}(?=(?=[^\p{ASCII}])\p{Script=Latin})/gu,
  /[\u0080-\u009F\uFFFD\uE000-\uF8FF]/g,
];

/** Western Europe hardly writes these, and a Mac has its accented letters in their places. */
const oddInTheWest = /[ŠšŽžŸƒˆ˜‰†‡]/g;

function countOdd(text: string, encoding: string): number {
  const patterns = encoding === FALLBACK ? [...odd, oddInTheWest] : odd;
  return patterns.reduce((sum, pattern) => sum + Array.from(text.matchAll(pattern)).length, 0);
}
