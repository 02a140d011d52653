import { Refusal } from "#src/base/refusal.ts";

/** How a press ended: done, or refused; `text` says it in a line without any row's number. */
export type Outcome<Value> =
  | { done: true; value: Value; text: string }
  | { done: false; refusal: Refusal; text: string };

/** A refusal is an outcome like any other; whatever else is thrown is a bug and goes on its way. */
export async function outcomeOf<Value>(asked: Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { done: true, value: await asked, text: "done" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { done: false, refusal: error, text: `${error.status} ${error.code}, ${error.message}` };
  }
}
