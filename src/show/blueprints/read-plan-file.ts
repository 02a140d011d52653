import { invalid } from "#src/base/refusal.ts";
import { UnreadableFile } from "./plan-files/unreadable-file.ts";
import type { PlanFile, PlanFileBody } from "./schemas.ts";

const COPY = "Copy its cells or lines and paste them here";
const signatures: readonly [start: string, fault: string][] = [
  [
    "\u00d0\u00cf\u0011\u00e0",
    `This is a workbook of an old kind (.xls), or it has a password. Save it as .xlsx without one. Or: ${COPY.toLowerCase()}.`,
  ],
  ["%PDF", `This is a PDF, not text. ${COPY}.`],
  ["{\\rtf", `This is a document in RTF, not text. ${COPY}.`],
];
const PACKED = "PK\u0003\u0004";

const LANGUAGES_MAX = 10;

type AskedFile = {
  bytes: Uint8Array;
  /** The encoding or the sheet that was chosen. */
  readAs: string | undefined;
  /** Of the browser, the preferred one first. */
  languages: readonly string[];
};

/**
 * Reads the text of a file with a plan, for `readPlanText`: a sheet of a workbook, or text in any encoding.
 * @throws Refusal 422 for any other file, with what to do.
 */
export async function readSentFile({ bytes, readAs }: PlanFileBody, headers: Headers): Promise<PlanFile> {
  const languages = languagesIn(headers.get("accept-language") ?? "");
  try {
    return await readPlanFile({ bytes: Buffer.from(bytes, "base64"), readAs, languages });
  } catch (error) {
    throw error instanceof UnreadableFile ? invalid({ file: [error.message] }) : error;
  }
}

/** "ru-RU,ru;q=0.9,en;q=0.8" -> "ru-RU", "ru", "en". Browsers name the preferred one first. */
function languagesIn(header: string): string[] {
  const languages = header.split(",", LANGUAGES_MAX).map((each) => (each.split(";")[0] ?? "").trim());
  return languages.filter((language) => language !== "");
}

async function readPlanFile({ bytes, readAs, languages }: AskedFile): Promise<PlanFile> {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  const fault = signatures.find(([signature]) => start.startsWith(signature))?.[1];
  if (fault !== undefined) throw new UnreadableFile(fault);
  if (start.startsWith(PACKED)) return readSheet(bytes, readAs);
  const { encoding, isSure } = guessEncoding(bytes, languages);
  const chosen = readAs !== undefined && Object.hasOwn(encodings, readAs) ? readAs : encoding;
  const choices = isSure && chosen === encoding ? [] : encodingChoices;
  return { text: decodeText(bytes, chosen), kind: "letters", readAs: chosen, choices, leftOut: [] };
}

/** The sheet that was chosen, or else the first one with a text. */
async function readSheet(bytes: Uint8Array, readAs: string | undefined): Promise<PlanFile> {
  // They are loaded when the first workbook comes: most lists are text.
  const [{ unzipParts }, { isXlsxPart, readXlsx }, { isOdsPart, readOds }] = await Promise.all([
    import("./plan-files/unzip-parts.ts"),
    import("./plan-files/read-xlsx.ts"),
    import("./plan-files/read-ods.ts"),
  ]);
  const parts = await unzipParts(bytes, (name) => isXlsxPart(name) || isOdsPart(name));
  if (!parts.has("xl/workbook.xml") && !parts.has("content.xml"))
    throw new UnreadableFile(
      `This is a document, not a workbook or text. ${COPY}, or save it as .xlsx or CSV.`,
    );
  const workbook = await (parts.has("xl/workbook.xml") ? readXlsx(parts) : readOds(parts));
  const chosen = workbook.sheets.filter((name) => name === readAs);
  const empty: string[] = [];
  for (const name of chosen.length > 0 ? chosen : workbook.sheets) {
    const sheet = await workbook.readSheet(name);
    if (sheet.isEmpty && chosen.length === 0) {
      empty.push(name);
      continue;
    }
    const choices = workbook.sheets.map((each) => ({ value: each, label: each }));
    const others = workbook.sheets.filter((each) => each !== name && !empty.includes(each));
    return {
      text: String(sheet),
      kind: "sheet",
      readAs: name,
      choices: choices.length > 1 ? choices : [],
      leftOut: [...unreadSheets(others), ...(sheet.hasPictures ? [PICTURES] : [])],
    };
  }
  throw new UnreadableFile("This workbook has no texts.");
}

const PICTURES =
  "Pictures and charts in the sheet were left out: give a question its picture once it is brought in.";

function unreadSheets([first, ...more]: readonly string[]): string[] {
  if (first === undefined) return [];
  const others = more.length === 0 ? "was" : `and ${more.length} more were`;
  return [`The sheet "${first}" ${others} not read: choose another sheet to read it instead.`];
}

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
  "utf-16be": { label: "Unicode (UTF-16, big-endian)", languages: "" },
};
const FALLBACK = "windows-1252";
const FIRST_BYTES = 400;
/** So much of a text is compared. */
const COMPARED_LENGTH = 20_000;

export const encodingChoices = Object.entries(encodings).map(([value, { label }]) => ({ value, label }));

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
  if (first === 0xfe && second === 0xff) return { encoding: "utf-16be", isSure: true };
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
