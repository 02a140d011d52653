/** Parts of the room that do nothing of their own with a key. */
const ROOM = "[data-takes-keys]";

/** True while a person may be typing or choosing in this element. */
export function isTyping(element: Element | null): boolean {
  return element?.matches("textarea, select, [contenteditable], input:not([type=hidden])") === true;
}

/** True if letters that are pressed on this element are keys of the room: on the room itself, and on its buttons. */
export function takesLetters(element: Element | null): boolean {
  if (element === null) return false;
  return isRoom(element) || (element.matches("main button") && !isForOther(element));
}

/** True where keys are meant for something else: the column of players, a question, or a form that is filled in. */
function isForOther(button: Element): boolean {
  if (button.closest("aside, dialog, details") !== null) return true;
  const form = button.closest("form");
  return form !== null && [...form.elements].some(isTyping);
}

/** True for the room itself. On its buttons Space and Enter press the button. */
export function isRoom(element: Element): boolean {
  return element.matches(ROOM);
}

/** Gives the room the focus, so that its keys act. */
export function focusRoom(): void {
  document.querySelector<HTMLElement>(`main${ROOM}`)?.focus({ preventScroll: true });
}

/** True while a question or a list is open over the room. */
export function isCovered(): boolean {
  const open = CSS.supports("selector(:popover-open)") ? ":popover-open" : "[popover][data-open]";
  return document.querySelector(`dialog[open], ${open}`) !== null;
}
