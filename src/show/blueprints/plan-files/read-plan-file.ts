import { invalid } from "#src/base/refusal.ts";
import type { PlanFile, PlanFileBody } from "../schemas.ts";
import { decodeText, encodingChoices, guessEncoding, isEncoding } from "./decode-text.ts";
import { UnreadableFile } from "./unreadable-file.ts";

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
  const chosen = readAs !== undefined && isEncoding(readAs) ? readAs : encoding;
  const choices = isSure && chosen === encoding ? [] : encodingChoices;
  return { text: decodeText(bytes, chosen), kind: "letters", readAs: chosen, choices };
}

/** The sheet that was chosen, or else the first one with a text. */
async function readSheet(bytes: Uint8Array, readAs: string | undefined): Promise<PlanFile> {
  // They are loaded when the first workbook comes: most lists are text.
  const [{ unzipParts }, { isXlsxPart, readXlsx }, { isOdsPart, readOds }] = await Promise.all([
    import("./unzip-parts.ts"),
    import("./read-xlsx.ts"),
    import("./read-ods.ts"),
  ]);
  const parts = await unzipParts(bytes, (name) => isXlsxPart(name) || isOdsPart(name));
  if (!parts.has("xl/workbook.xml") && !parts.has("content.xml"))
    throw new UnreadableFile(
      `This is a document, not a workbook or text. ${COPY}, or save it as .xlsx or CSV.`,
    );
  const workbook = await (parts.has("xl/workbook.xml") ? readXlsx(parts) : readOds(parts));
  const chosen = workbook.sheets.filter((name) => name === readAs);
  for (const name of chosen.length > 0 ? chosen : workbook.sheets) {
    const sheet = await workbook.readSheet(name);
    if (sheet.isEmpty && chosen.length === 0) continue;
    const choices = workbook.sheets.map((each) => ({ value: each, label: each }));
    return { text: String(sheet), kind: "sheet", readAs: name, choices: choices.length > 1 ? choices : [] };
  }
  throw new UnreadableFile("This workbook has no texts.");
}
