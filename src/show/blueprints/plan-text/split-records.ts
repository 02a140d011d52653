import type PapaParse from "papaparse";

// Required, not imported: the import of a CommonJS module brings a helper into the first scripts of every page. The file is named,
// because the other one needs streams of Node.
const { parse }: typeof PapaParse = require("papaparse/papaparse.min.js");

/** A row of a table in text: one line, or several where a cell in quotes has line breaks. */
export type PlanRecord = {
  /** The line on which it begins, from 1 on. */
  line: number;
  cells: string[];
  /** As it is written. */
  raw: string;
  /** A quote opens a cell and does not end it, so the line was split without regard to quotes. */
  badQuotes: boolean;
};

/** A quote without an end is searched to the end of the text. After so many letters the rest is read without regard to quotes. */
const SEARCHED_MAX = 1_000_000;

type Source = { text: string; separator: string; newline: "\n" | "\r\n" };

/** Splits a text into rows and cells by RFC 4180. A line whose quotes do not match spoils no other line. */
export function splitRecords(source: Source): PlanRecord[] {
  const { text, separator, newline } = source;
  const records: PlanRecord[] = [];
  let line = 1;
  let at = 0;
  const add = (end: number, cells: string[], badQuotes: boolean) => {
    const whole = text.slice(at, end);
    const raw = whole.endsWith(newline) ? whole.slice(0, -newline.length) : whole;
    records.push({ line, cells, raw, badQuotes });
    line += whole.split("\n").length - 1;
    at = end;
  };
  for (let searched = 0; at < text.length; searched += text.length - at) {
    const start = at;
    const { rows, isBroken } = readRows({ ...source, text: text.slice(at) }, searched < SEARCHED_MAX);
    for (const { cells, end } of rows) add(start + end, cells, false);
    if (!isBroken) break;
    const found = text.indexOf(newline, at);
    const end = found < 0 ? text.length : found + newline.length;
    add(end, text.slice(at, found < 0 ? end : found).split(separator), true);
  }
  return records;
}

type Row = { cells: string[]; end: number };

/** The rows up to the first one with wrong quotes. */
function readRows({ text, separator, newline }: Source, quotes: boolean): { rows: Row[]; isBroken: boolean } {
  const rows: Row[] = [];
  let isBroken = false;
  parse<string[]>(text, {
    delimiter: separator,
    newline,
    // No text has this character: the database does not store it.
    quoteChar: quotes ? '"' : "\u0000",
    step: ({ data, errors, meta }, parser) => {
      isBroken = errors.length > 0;
      if (isBroken) parser.abort();
      else rows.push({ cells: data, end: meta.cursor });
    },
  });
  return { rows, isBroken };
}
