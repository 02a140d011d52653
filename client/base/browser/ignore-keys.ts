/** By which Safari marks the key that ends a word: it says so after the word has ended (WebKit bug 165004). */
const COMPOSING_KEY = 229;

/**
 * One press of a key is one activation: a key that is held down repeats, and each repeat would press the button again. The first
 * press counts, its repeats do nothing. Fields keep the repeats that they need to type. A key that an input method takes, such as the
 * Enter that ends a Japanese word, is none of the page: nothing of ours hears of it, and the browser goes on with the word.
 * @returns stops ignoring.
 */
export function ignoreKeys(): () => void {
  document.addEventListener("keydown", ignore, { capture: true });
  return () => document.removeEventListener("keydown", ignore, { capture: true });
}

function ignore(event: KeyboardEvent): void {
  // oxlint-disable-next-line typescript/no-deprecated -- Safari says it in no other way.
  if (event.isComposing || event.keyCode === COMPOSING_KEY) event.stopImmediatePropagation();
  // The browser clicks only what has seen the key go down.
  else if (event.repeat && isActivation(event)) event.preventDefault();
}

/** Enter and Space press a button. Enter also follows a link and sends the form of a field. */
function isActivation({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (key === "Enter") return target.closest("a, button, input, select, summary") !== null;
  return key === " " && target.closest("button, summary, [type=checkbox], [type=radio]") !== null;
}
