import { eventLimits } from "#src/show/events/contract.ts";

const { titleLengthMax, labelLengthMax } = eventLimits;

/** Asks an assistant for a list in the shape that is read best: a row a question, with bars between its cells. */
export const assistantPrompt = `Write 10 questions for a live prediction game about: [YOUR SHOW].
Each question has exactly two possible outcomes, is answered during the show, and nobody can know the answer before.

Answer with one table in plain text and nothing else: one question a line, four cells with | between them, this header first:
question | true label | false label | seconds

- question: at most ${titleLengthMax} characters, with a question mark
- true label, false label: the two outcomes, at most ${labelLengthMax} characters each, such as Yes and No
- seconds: how long people may decide, a whole number from 15 to 120

Example:
Will the first song be longer than four minutes? | Longer | Shorter | 30`;
