import { Refusal } from "#src/base/refusal.ts";

/** How an action ended: done or refused. `text` describes it in a line without row ids. */
type Outcome<Value> =
  | { done: true; value: Value; text: string }
  | { done: false; refusal: Refusal; text: string };

/** Turns a refusal into an outcome. Any other error is a bug and is thrown again. */
export async function outcomeOf<Value>(result: Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { done: true, value: await result, text: "done" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { done: false, refusal: error, text: `${error.status} ${error.code}, ${error.message}` };
  }
}
