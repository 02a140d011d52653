import { pictureKey } from "#db/lists/questions.ts";
import { noTexts, type Part, type PlanPart, type PlanTexts } from "./columns.ts";
import type { PlanLine } from "./plan-reading.ts";
import { splitAnswers } from "./split-answers.ts";

export function whySurplus(part: PlanPart): string {
  if (part === "picture" || part === "pictureAlt") return "pictures are added in the editor";
  return part === "aside" ? "it is not used" : "it is said twice";
}

/**
 * Makes an action of its parts, whatever the shape of the text is. Labels are those that are named so, or else the first two answers. The
 * right answer of a quiz is the host's note.
 * @returns what had no place in it, too.
 */
export function gatherParts(line: number, parts: readonly Part[]): PlanLine & { surplus: Part[] } {
  const texts = noTexts();
  const answers = answersIn(parts);
  const isOurs = parts.some(({ part, text }) => part === "picture" && pictureKey.test(text.trim()));
  const surplus = parts.filter(
    (part) => part.text.trim() !== "" && ((isOfPicture(part) && !isOurs) || !place(texts, part)),
  );
  const labels = [texts.trueLabel, texts.falseLabel].filter((label) => label !== "");
  const all = [...labels, ...answers];
  const [first = "", second = ""] = answers;
  if (texts.trueLabel !== "") texts.falseLabel ||= first;
  else
    [texts.trueLabel, texts.falseLabel] =
      texts.falseLabel === "" ? [first, second] : [first, texts.falseLabel];
  texts.hostNote = [texts.hostNote, ...answerNotes(parts, all)].filter((note) => note !== "").join("\n");
  const faults = all.length > 2 ? [`It has ${all.length} answers, and an action has two`] : [];
  return { line, texts, faults, surplus };
}

/** "Answer: Wet". Quizzes name it by its number or its letter too. @param answers in their order. */
function answerNotes(parts: readonly Part[], answers: readonly string[]): string[] {
  const right = parts.flatMap(({ part, text }) => (part === "rightAnswer" ? [text.trim()] : []));
  const notes = right
    .filter((text) => text !== "")
    .map((text) => {
      const place = ["1", "2", "a", "b", "true", "false"].indexOf(text.toLowerCase()) % 2;
      return `Answer: ${answers.includes(text) ? text : (answers[place] ?? text)}`;
    });
  return [...new Set(notes)];
}

const isOfPicture = ({ part }: Part) => part === "picture" || part === "pictureAlt";

/** Takes out a picture that is no file of ours, and its text with it. */
export function leavePicture(texts: PlanTexts, isOurs = (name: string) => pictureKey.test(name)): Part[] {
  if (isOurs(texts.picture.trim())) return [];
  const left = (["picture", "pictureAlt"] as const).map((part) => ({ part, text: texts[part] }));
  texts.picture = "";
  texts.pictureAlt = "";
  return left.filter(({ text }) => text.trim() !== "");
}

/** Places what is no answer: those are gathered apart. @returns whether it had a place. */
function place(texts: PlanTexts, { part, text }: Part): boolean {
  if (part === "answer" || part === "answers" || part === "rightAnswer" || part === "wrongAnswer")
    return true;
  if (part === "aside") return false;
  const column = part === "minutes" ? "durationSeconds" : part;
  if (texts[column] !== "") return false;
  texts[column] = part === "minutes" && /^\s*[\d.,]+\s*$/.test(text) ? `${text.trim()} min` : text;
  return true;
}

/** The answers besides labels. Where a quiz tells right and wrong ones apart, their order must not. */
function answersIn(parts: readonly Part[]): string[] {
  const of = (wanted: PlanPart) =>
    parts.flatMap(({ part, text }) => (part === wanted && text.trim() !== "" ? [text] : []));
  const listed = [...of("answers").flatMap((text) => splitAnswers(text) ?? [text]), ...of("answer")];
  const wrong = of("wrongAnswer");
  return wrong.length === 0 ? listed : [...listed, ...inNeutralOrder([...of("rightAnswer"), ...wrong])];
}

const affirmations = /^(?:true|yes|wahr|ja|vrai|oui|verdadero|verdadeiro|vero|s[iíì]|sim|waar)$/i;

function inNeutralOrder(answers: readonly string[]): string[] {
  const isYes = (answer: string) => affirmations.test(answer.trim());
  const others = answers.filter((answer) => !isYes(answer));
  return [...answers.filter(isYes), ...others.toSorted()];
}
