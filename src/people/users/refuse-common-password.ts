import { invalid } from "#src/base/refusal.ts";
import { site } from "#src/settings/contract.ts";

const PRODUCT_WORDS = ["calledit", "called", "demo"];
/** Shorter words are in too many good passwords. */
const WORD_LENGTH_MIN = 3;
/** What a password must have beside words that anybody knows. */
const OTHER_LETTERS_MIN = 4;

let loading: Promise<ReadonlySet<string>> | null = null;

/**
 * Refuses passwords that are guessed first: 422. These are common ones, and those made of the user's name, the parts of the email
 * and the name of the product, with whatever digits and separators. Upper and lower case are equal. Example: "Called-It-2026", or
 * "ana.smith1" for ana.smith@example.test.
 * @param own the user's email and username.
 */
export async function refuseCommonPassword(
  password: string,
  own: readonly (string | null)[] = [],
): Promise<void> {
  loading ??= loadCommonPasswords();
  const guess = password.toLowerCase();
  if (isMadeOf(guess, wordsIn(own)) || (await loading).has(guess))
    throw invalid({ password: ["is too easily guessed"] });
}

function wordsIn(own: readonly (string | null)[]): string[] {
  const texts = own.flatMap((text) => (text === null ? [] : [text.toLowerCase()]));
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u), lettersOf(text)]);
  // The longest first, because they contain others.
  return [...words, ...PRODUCT_WORDS, site().name.toLowerCase()]
    .map(lettersOf)
    .filter((word) => word.length >= WORD_LENGTH_MIN)
    .sort((one, other) => other.length - one.length);
}

/** True if hardly anything is left of the password without these words. */
function isMadeOf(guess: string, words: readonly string[]): boolean {
  const letters = lettersOf(guess);
  const rest = words.reduce((left, word) => left.replaceAll(word, ""), letters);
  return rest.length < letters.length && rest.replace(/^(it|its)$/, "").length < OTHER_LETTERS_MIN;
}

/** Without the digits and separators that are added to a word to make a password of it. */
function lettersOf(text: string): string {
  return text.replaceAll(/[\d\s\-_.,@+!?]/g, "");
}

/** Loads the list on first use, because it takes time and memory. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}
