/** The text of a file, or why there is none. */
export type Decoded = { text: string; fault: null } | { text: null; fault: string };

const FIRST_BYTES = 400;

/**
 * Reads a file's bytes as text: UTF-8, UTF-16 as Excel saves "Unicode text", or Windows-1252 as it saves CSV. A workbook or a
 * document is refused with what to do.
 */
export function decodeBytes(bytes: Uint8Array): Decoded {
  const fault = faultOf(bytes);
  if (fault !== null) return { text: null, fault };
  return { text: decode(bytes).replaceAll("\u0000", ""), fault: null };
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (isWide(bytes)) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Text in UTF-16 without a mark has a zero in every second byte. */
function isWide(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, FIRST_BYTES);
  const zeros = start.filter((byte, index) => index % 2 === 1 && byte === 0).length;
  return zeros > start.length / 4;
}

const WORKBOOK =
  "This is a workbook or a document, not text. Copy its cells or lines and paste them here, or save it as CSV.";
const signatures: readonly [bytes: string, fault: string][] = [
  ["PK\u0003\u0004", WORKBOOK],
  ["\u00d0\u00cf\u0011\u00e0", WORKBOOK],
  ["%PDF", "This is a PDF, not text. Copy its lines and paste them here."],
  ["{\\rtf", "This is a document in RTF, not text. Copy its lines and paste them here."],
];

function faultOf(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  return signatures.find(([signature]) => start.startsWith(signature))?.[1] ?? null;
}
