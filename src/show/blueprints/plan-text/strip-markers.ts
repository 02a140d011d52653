import type { PlanLine } from "./plan-reading.ts";

/** A line without its bullet, and its number in a list if it has one. */
export type Marked = { text: string; number: number | null; unnumbered: string; hasBullet: boolean };

/** Bullets of Word, Markdown and others; the last three are Word's in the font Wingdings. */
const bullet =
  /^\s*(?:[•\u25E6\u25AA\u25AB\u2023\u2043\u25CF\u25CB\u25A0\u25A1\u27A2\u2713\u2714\u2610\u2611\u2612\uF0B7\uF0A7\uF0D8]\s*|[-–—*+·]\s+|[§Øo]\t\s*)(?:\[[ xX]?\]\s+)?/;
/** "1.", "1)", "(1)", "Q1:", "Question 1 -", "#1", "1" before a tab. */
const numbering =
  /^\s*(?:(?:q|question|frage|nr\.?|no\.?|#)\s*(\d{1,3})(?:\s*[.):–-]+)?|[([]?(\d{1,3})(?:[.):\]]\)?|\s[-–](?=\s)|(?=\t)))(?:\s+|$)/i;
const lettering = /^\s*\(?([a-z])\)\s+/;
const roman = /^\s*\(?([ivx]{1,5})\.\s+/i;

const LETTER_BEFORE_A = 96;
const ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split(" ");

/** Removes the stars and lines of Markdown around bold and slanted words. A gap of "____" in a question stays. */
export function withoutEmphasis(text: string): string {
  const pieces = text.split("**");
  const plain = pieces.length > 2 && pieces.length % 2 === 1 ? pieces.join("") : text;
  return plain.replace(/^(\s*)(__|\*|_)(?=[^\s_*])([^_*]+)\2(\s*)$/, "$1$3$4");
}

/** Reads the mark with which a list begins its line. */
export function readMarker(line: string): Marked {
  const bare = line.replace(bullet, "");
  const hasBullet = bare !== line;
  const text = bare.trimEnd();
  const mark = (number: number, found: RegExpExecArray) => ({
    text,
    number,
    unnumbered: text.slice(found[0].length),
    hasBullet,
  });
  const numbered = numbering.exec(text);
  if (numbered !== null) return mark(Number(numbered[1] ?? numbered[2]), numbered);
  const rank = roman.exec(text);
  const number = ROMAN.indexOf((rank?.[1] ?? "").toLowerCase()) + 1;
  if (rank !== null && number > 0) return mark(number, rank);
  const lettered = lettering.exec(text);
  if (lettered !== null) return mark((lettered[1] ?? "").charCodeAt(0) - LETTER_BEFORE_A, lettered);
  return { text, number: null, unnumbered: text, hasBullet };
}

/**
 * Removes bullets, and numbers where they number the list: they ascend, or are all 1, and at least half of the lines have one. So
 * "3. period: a goal?" among other questions keeps its number.
 */
export function stripMarkers(lines: readonly string[]): string[] {
  const marked = lines.map(readMarker);
  const isNumbered = numberTheList(marked);
  return marked.map(({ text, unnumbered }) => (isNumbered ? unnumbered : text));
}

/** Removes bullets and numbers from the questions. */
export function withoutMarkers(lines: PlanLine[]): PlanLine[] {
  const titles = stripMarkers(lines.map(({ texts }) => texts.title));
  return lines.map((line, index) => ({
    ...line,
    texts: { ...line.texts, title: titles[index]?.trim() ?? "" },
  }));
}

function numberTheList(marked: readonly Marked[]): boolean {
  const numbers = marked.flatMap(({ number }) => (number === null ? [] : [number]));
  const ascend = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
  return (ascend || numbers.every((number) => number === 1)) && numbers.length * 2 >= marked.length;
}

/** The questions of a list that lost its line breaks: "1. A? 2. B?", "• A? • B?", or questions one after the other. */
export function splitOneLine(line: string, lengthMax: number): string[] {
  const bullets = partsOf(line, /[•\u25E6\u25AA\u2023\u25CF\uF0B7]/);
  if (bullets.length > 1) return bullets;
  const numbered = splitAtNumbers(line);
  if (numbered.length > 1) return numbered;
  if (line.length <= lengthMax) return [line];
  return partsOf(line, /(?<=\?["”’)]?)(?:\s*[;,])?\s+/);
}

const partsOf = (line: string, between: RegExp) =>
  line.split(between).flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));

/** Splits before "1.", "2.", "3." and so on, if they come in this order from 1. */
function splitAtNumbers(line: string): string[] {
  const starts: number[] = [];
  for (const { index, 1: number } of line.matchAll(/(?:^|(?<=\s))(?:q|#)?\(?(\d{1,3})[.):]\)?\s+/gi))
    if (Number(number) === starts.length + 1) starts.push(index);
  if (starts.length < 2 || line.slice(0, starts[0]).trim() !== "") return [line];
  return starts.map((start, index) => line.slice(start, starts[index + 1]).trim());
}
