const REMEMBERED = 5;

/** Where the focus was, newest first; empty after the viewer has left everything, such as by a click on a free place. */
let trail: HTMLElement[] = [];

/**
 * The focus is never lost: when what has it goes away or is disabled, it goes back to where it was before, else to the page's main
 * part. Who reads the page by keyboard or by ear would start again at its top. The control room has rules of its own. This code comes late:
 * what has the focus by then counts.
 */
export function keepFocus(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement !== document.body) trail = [activeElement];
  document.addEventListener("focusin", remember);
  document.addEventListener("focusout", forget);
  new MutationObserver(restore).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["disabled", "hidden"],
  });
}

function remember({ target }: FocusEvent): void {
  if (target instanceof HTMLElement)
    trail = [target, ...trail.filter((each) => each !== target)].slice(0, REMEMBERED);
}

function forget({ target, relatedTarget }: FocusEvent): void {
  if (relatedTarget !== null || !document.hasFocus()) return;
  // What goes away is gone by then.
  queueMicrotask(() => {
    if (target instanceof HTMLElement && canHold(target) && document.activeElement === document.body)
      trail = [];
  });
}

function restore(): void {
  const [last] = trail;
  const { activeElement } = document;
  if (last === undefined || (activeElement !== document.body && activeElement !== last)) return;
  // Whether it can be seen is asked last: the browser works out all styles for the answer, and parts change several times a second.
  if (document.querySelector("main[data-takes-keys]") !== null || canHold(last)) return;
  // A field would open a phone's keyboard.
  const before = trail.find((each) => canHold(each) && !each.matches("input, textarea, select"));
  (before ?? document.querySelector<HTMLElement>("#main"))?.focus({ preventScroll: true });
}

function canHold(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(":disabled") && element.getClientRects().length > 0;
}
