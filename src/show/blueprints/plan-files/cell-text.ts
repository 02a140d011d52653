const DAY_S = 86_400;
const HOUR_S = 3_600;
const MINUTE_S = 60;
/** A spreadsheet counts days from here; the second one is that of old Macs. */
const EPOCHS_MS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
/** A spreadsheet keeps so many digits: 0.1 + 0.2 is 0.3 there. */
const DIGITS = 15;

/** The codes of number formats that have no code in the file. */
const builtInFormats: Readonly<Record<number, string>> = {
  9: "0%",
  10: "0.00%",
  ...Object.fromEntries([14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 57].map((id) => [id, "d"])),
  18: "h:mm",
  19: "h:mm:ss",
  20: "h:mm",
  21: "h:mm:ss",
  22: "d h:mm",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss",
};

/** What a format makes of a number: a date, a time, a percentage. */
export type NumberFormat = { isDate: boolean; hasHours: boolean; hasSeconds: boolean; isPercent: boolean };

/** @param code the code in the file; undefined for a format that is built in. */
export function readFormat(id: number, code: string | undefined): NumberFormat {
  const [section = ""] = (code ?? builtInFormats[id] ?? "").replaceAll(/"[^"]*"|\\.|_.|\*./g, "").split(";");
  // Colours, currencies and conditions stand in brackets; so do hours that go beyond a day.
  const letters = section.toLowerCase().replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]|general/g, "");
  const hasHours = letters.includes("h");
  const hasSeconds = letters.includes("s");
  const isDate = /[yd]/.test(letters) || (letters.includes("m") && !hasHours && !hasSeconds);
  return { isDate, hasHours, hasSeconds, isPercent: letters.includes("%") };
}

/** The text of a number, as people see it in its cell: "30", "0:30", "50%", "2026-11-29". */
export function numberText(
  value: number,
  format: NumberFormat | undefined,
  epoch: keyof typeof EPOCHS_MS,
): string {
  if (format === undefined || !Number.isFinite(value)) return plainNumber(value);
  const { isDate, hasHours, hasSeconds, isPercent } = format;
  if (isPercent) return `${plainNumber(value * 100)}%`;
  if (!isDate)
    return hasHours || hasSeconds ? clockText(Math.round(value * DAY_S), format) : plainNumber(value);
  const at = new Date(EPOCHS_MS[epoch] + Math.round(value * DAY_S) * 1_000);
  if (Number.isNaN(at.getTime())) return plainNumber(value);
  const [day = "", time = ""] = at.toISOString().split("T");
  return hasHours ? `${day} ${time.slice(0, 5)}` : day;
}

const plainNumber = (value: number) => String(Number(value.toPrecision(DIGITS)));

function clockText(seconds: number, { hasHours, hasSeconds }: NumberFormat): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const inMinute = seconds % MINUTE_S;
  if (!hasHours) return `${Math.floor(seconds / MINUTE_S)}:${two(inMinute)}`;
  const hours = `${Math.floor(seconds / HOUR_S)}:${two(Math.floor(seconds / MINUTE_S) % MINUTE_S)}`;
  return hasSeconds || inMinute > 0 ? `${hours}:${two(inMinute)}` : hours;
}
