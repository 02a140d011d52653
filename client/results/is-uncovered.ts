/** True if the middle of an element can be seen: it is in the window, and no sheet, dialog or toast is over it. */
export function isUncovered(element: Element | null): boolean {
  if (element === null) return false;
  const { left, top, width, height } = element.getBoundingClientRect();
  const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
  return onTop !== null && element.contains(onTop);
}
