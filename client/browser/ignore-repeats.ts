/** What a key activates: Enter also follows links and sends the form of a field. */
const activated: Record<string, string> = {
  Enter: "a, button, input, select, summary",
  " ": "button, summary, [type=checkbox], [type=radio]",
};

/**
 * One press of a key is one activation: a key that is held down repeats, and each repeat would press the button again. The first
 * press counts, its repeats do nothing. Fields keep the repeats that they need to type.
 * @returns stops ignoring.
 */
export function ignoreRepeats(): () => void {
  document.addEventListener("keydown", ignore, { capture: true });
  return () => document.removeEventListener("keydown", ignore, { capture: true });
}

function ignore(event: KeyboardEvent): void {
  const { key, repeat, target } = event;
  const selector = activated[key];
  if (!repeat || selector === undefined || !(target instanceof Element)) return;
  // The browser clicks only what has seen the key go down.
  if (target.closest(selector) !== null) event.preventDefault();
}
