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
  // The browser clicks only what has seen the key go down.
  if (event.repeat && isActivation(event)) event.preventDefault();
}

/** Enter and Space press a button. Enter also follows a link and sends the form of a field. */
function isActivation({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (key === "Enter") return target.closest("a, button, input, select, summary") !== null;
  return key === " " && target.closest("button, summary, [type=checkbox], [type=radio]") !== null;
}
