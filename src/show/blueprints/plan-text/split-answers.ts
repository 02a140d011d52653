import { eventLimits } from "#src/show/events/contract.ts";
import type { Part } from "./columns.ts";
import { readSeconds } from "./read-values.ts";

const ANSWERS_MAX = 6;

const SLASH = /[/|]/;
const OR = /\s(?:or|oder|ou|o)\s/i;

/** The answers in "Yes / No", "Heads or Tails", "A, B": two or more, each short enough for a label. Null for any other text. */
export function splitAnswers(
  text: string,
  separators: readonly RegExp[] = [SLASH, /[,;]/, OR],
): string[] | null {
  for (const separator of separators) {
    const answers = text.split(separator).map((answer) => answer.trim());
    if (answers.length < 2) continue;
    const areLabels = answers.every((answer) => answer !== "" && answer.length <= eventLimits.labelLengthMax);
    return areLabels && answers.length <= ANSWERS_MAX ? answers : null;
  }
  return null;
}

/** "Will it rain? (Yes / No) 30s", "Toss? - Heads / Tails": a question, and what is said behind it. */
export function splitQuestion(text: string): { title: string; parts: Part[] } {
  const time = cutTime(text.trim());
  const labels = cutAnswers(time.rest);
  const again = time.parts.length === 0 ? cutTime(labels.rest) : { rest: labels.rest, parts: [] };
  const isAsked = labels.parts.length > 0 || again.rest.endsWith("?");
  if (!isAsked || again.rest === "") return { title: text, parts: [] };
  return { title: again.rest, parts: [...labels.parts, ...time.parts, ...again.parts] };
}

type Cut = { rest: string; parts: Part[] };

const uncut = (rest: string): Cut => ({ rest, parts: [] });

/** Cuts a duration with its unit from the end: "30s", "(30 seconds)", "- 1 min". */
function cutTime(text: string): Cut {
  const group = groupAtEnd(text);
  const start = group?.start ?? Math.max(...["?", ")", "]"].map((end) => text.lastIndexOf(end) + 1));
  const tail = (group?.inside ?? text.slice(start)).replace(/^[\s,;:–—-]+/, "").replace(/^time:?\s/i, "");
  if (start === 0 || !/\p{L}/u.test(tail) || readSeconds(tail) === null) return uncut(text);
  return { rest: text.slice(0, start).trimEnd(), parts: [{ part: "durationSeconds", text: tail }] };
}

/** Cuts the answers from the end: "(Yes / No)", "Heads / Tails" behind the question mark or behind a dash. */
function cutAnswers(text: string): Cut {
  const group = groupAtEnd(text);
  const asked = text.lastIndexOf("?") + 1;
  const dash = Math.max(...[" - ", " – ", " — "].map((each) => text.lastIndexOf(each)));
  const start = group?.start ?? (asked || dash);
  if (start <= 0) return uncut(text);
  const inside = (group?.inside ?? text.slice(start)).replace(/^[\s:–—-]+/, "");
  const answers = splitAnswers(inside, separatorsOf({ isAsked: asked > 0, isGroup: group !== null }));
  if (answers === null) return uncut(text);
  return {
    rest: text.slice(0, start).trimEnd(),
    parts: answers.map((answer) => ({ part: "answer", text: answer })),
  };
}

type Place = { isAsked: boolean; isGroup: boolean };

/** Without a question mark, and without brackets, a sentence may have more of them. */
function separatorsOf({ isAsked, isGroup }: Place): readonly RegExp[] | undefined {
  if (!isAsked) return [isGroup ? SLASH : /\s\/\s/];
  return isGroup ? undefined : [SLASH, OR];
}

/** What is in brackets at the end of a text. */
function groupAtEnd(text: string): { start: number; inside: string } | null {
  const open = { ")": "(", "]": "[" }[text.at(-1) ?? ""];
  const start = open === undefined ? -1 : text.lastIndexOf(open);
  return start === -1 ? null : { start, inside: text.slice(start + 1, -1) };
}
