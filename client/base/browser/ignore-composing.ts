/** By which Safari marks the key that ends a word: it says so after the word has ended (WebKit bug 165004). */
const COMPOSING_KEY = 229;

/**
 * A key that an input method takes, such as the Enter that ends a Japanese word, is none of the page: nothing of ours hears of it, and
 * the browser goes on with the word.
 * @returns stops ignoring.
 */
export function ignoreComposing(): () => void {
  document.addEventListener("keydown", ignore, { capture: true });
  return () => document.removeEventListener("keydown", ignore, { capture: true });
}

function ignore(event: KeyboardEvent): void {
  // oxlint-disable-next-line typescript/no-deprecated -- Safari says it in no other way.
  if (event.isComposing || event.keyCode === COMPOSING_KEY) event.stopImmediatePropagation();
}
