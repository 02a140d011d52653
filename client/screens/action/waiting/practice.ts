import { createStore, useStore } from "#client/base/browser/store.ts";
import { say } from "#client/results/spoken.ts";
import type { Side } from "#db/lists/spots.ts";

// Decision: practice exists on this page alone. Nothing is sent, booked or stored: it makes no call, no entry and no record.

type Question = Readonly<Record<"title" | Side, string>>;

const questions: readonly Question[] = [
  { title: "will a coin fall heads?", true: "Heads", false: "Tails" },
  { title: "is the next card red?", true: "Red", false: "Black" },
  { title: "is the next number even?", true: "Even", false: "Odd" },
];

/** How long a call waits for its result, and the result for the next question. */
const RESULT_AFTER_MS = 1_500;
const NEXT_AFTER_MS = 3_500;

type Practice = {
  question: Question;
  called: Side | null;
  result: Side | null;
  /** What the result means; null until there is one. */
  told: string | null;
};

const store = createStore(ask(0));
/** What comes next of the question that is practised. */
let timer: ReturnType<typeof setTimeout> | undefined;

export const usePractice = () => useStore(store);

/** Calls a side of the practice question, once. A while later it has a result, and then another question is asked. */
export function practise(side: Side): void {
  if (store.get().called !== null) return;
  store.set({ ...store.get(), called: side });
  timer = setTimeout(() => tell(side), RESULT_AFTER_MS);
}

/** The show has begun, or the page is left: a result that is to come is not told any more. */
export function endPractice(): void {
  clearTimeout(timer);
  askNext();
}

function tell(called: Side): void {
  const { question } = store.get();
  const result = Math.random() < 0.5 ? "true" : "false";
  const told = `${question[result]}. ${result === called ? "You would have won." : "It went the other way."}`;
  store.set({ ...store.get(), result, told });
  say(`Practice: ${told}`);
  timer = setTimeout(askNext, NEXT_AFTER_MS);
}

function askNext(): void {
  store.set(ask(questions.indexOf(store.get().question) + 1));
}

function ask(number: number): Practice {
  const [first] = questions;
  const question = questions[number % questions.length] ?? first;
  if (question === undefined) throw new Error("There is nothing to practise.");
  return { question, called: null, result: null, told: null };
}
