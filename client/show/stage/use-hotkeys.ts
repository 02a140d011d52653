import { useEffect } from "react";

/**
 * A key clicks the button with that `data-key`, wherever the focus is. Not while typing, in a dialog, with a modifier key, or
 * on key repeat. `data-key` is also the button's `aria-keyshortcuts`: "T", "Space", "Plus", "Enter".
 */
export function useHotkeys(): void {
  useEffect(() => {
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Names in `data-key` that differ from `event.key`. */
const keyNames: Record<string, string> = { " ": "Space", "+": "Plus" };

function press(event: KeyboardEvent): void {
  if (event.repeat || event.metaKey || event.ctrlKey || event.altKey || isUsedElsewhere(event)) return;
  const { key } = event;
  const name = keyNames[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  const selector = `main [data-key="${CSS.escape(name)}"]:not([aria-disabled="true"])`;
  const button = document.querySelector<HTMLElement>(selector);
  if (button === null) return;
  event.preventDefault();
  button.click();
}

/** Where letters and digits are typed; a radio button takes none. */
const FIELDS = "input, textarea, select";
/** Where the space bar and Enter have a meaning of their own. */
const CONTROLS = "input, textarea, select, a, button, summary";

/** True where the key has its usual meaning: in a field, in a dialog, and Space and Enter on a focused control. */
function isUsedElsewhere({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open], :popover-open") !== null) return true;
  if (key === "Escape" || !(target instanceof Element)) return false;
  if (key === " " || key === "Enter") return target.closest(CONTROLS) !== null;
  return target.closest(FIELDS) !== null && !target.matches("[type=radio], [type=checkbox]");
}
