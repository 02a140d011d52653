import { useEffect } from "react";

/**
 * Presses the button that carries a key (`data-key`), wherever on the page the focus is: but never while something is typed
 * or asked, never with another key held, and not again while the key stays down.
 */
export function useHotkeys(): void {
  useEffect(() => {
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Keys whose names are not what they write. */
const names: Record<string, string> = { " ": "Space", "+": "Plus" };

function press(event: KeyboardEvent): void {
  if (event.repeat || event.metaKey || event.ctrlKey || event.altKey || isTaken(event)) return;
  const name = CSS.escape(names[event.key] ?? event.key.toUpperCase());
  const button = document.querySelector<HTMLElement>(`main [data-key="${name}"]:not([aria-disabled="true"])`);
  if (button === null) return;
  event.preventDefault();
  button.click();
}

/** Keys mean themselves in a field and in a question; the space bar presses what has the focus. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open], :popover-open") !== null) return true;
  const taken = key === " " ? "input, textarea, select, a, button, summary" : "input, textarea, select";
  return target instanceof Element && target.closest(taken) !== null;
}
