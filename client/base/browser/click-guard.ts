/** For so long a place takes no press after its control has changed: nobody has seen yet what is there now. */
const STILL_MS = 1_000;

const places = new Set<DOMRect>();

/**
 * Nothing changes under a thumb: a press where this control is, or was, does nothing for a second. Call it when another control
 * takes its place, before it is gone. A dialog or a menu takes presses at once: the viewer has just opened it.
 */
export function guardPlace(control: Element): void {
  keepPlaceStill(control.getBoundingClientRect());
}

/** A `ref` for a control that may go away while the page around it stays, by itself or with its own press. */
export function guardWhenGone(control: Element | null): () => void {
  return () => {
    if (control === null) return;
    const place = control.getBoundingClientRect();
    const page = control.closest("main, .toasts");
    // The controls of another page are expected to be there at once.
    queueMicrotask(() => {
      if (page?.isConnected === true) keepPlaceStill(place);
    });
  };
}

/** A `ref` for a control that comes over others by itself, and goes away: neither takes a press that was meant for the other. */
export function guardComingAndGoing(control: Element | null): () => void {
  if (control !== null) guardPlace(control);
  return guardWhenGone(control);
}

function keepPlaceStill(place: DOMRect): void {
  // What is not shown has no place.
  if (place.width === 0 || place.height === 0) return;
  places.add(place);
  setTimeout(() => places.delete(place), STILL_MS);
  // Before all other listeners; added again it is still one.
  document.addEventListener("click", ignoreInStillPlace, { capture: true });
}

function ignoreInStillPlace(press: MouseEvent): void {
  if (press.target instanceof Element && press.target.closest("dialog, [popover]") !== null) return;
  const { x, y } = pointOf(press);
  const isStill = [...places].some(
    ({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
  );
  if (!isStill) return;
  press.preventDefault();
  press.stopImmediatePropagation();
}

/** Where a press is: of a key it is the middle of the control. */
function pointOf({ detail, clientX, clientY, target }: MouseEvent): { x: number; y: number } {
  if (detail > 0 || !(target instanceof Element)) return { x: clientX, y: clientY };
  const { left, top, width, height } = target.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
