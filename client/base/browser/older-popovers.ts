/**
 * Opens and closes the page's popovers where the browser does not know them (Chromium before 114, Firefox before 125, Safari before
 * 17). A dialog becomes a modal one; a sheet is marked, and its style sheet shows it.
 */
export function openOlderPopovers(): void {
  Object.defineProperty(HTMLElement.prototype, "hidePopover", {
    value(this: HTMLElement) {
      if (isOpen(this)) toggle(this);
    },
  });
  document.addEventListener("click", (click) => {
    const pressed = click.target instanceof Element ? click.target : null;
    const button = pressed?.closest("[popovertarget]");
    const target = document.getElementById(button?.getAttribute("popovertarget") ?? "");
    closeOthers(pressed, target);
    if (target === null || click.defaultPrevented) return;
    const isMeant = button?.getAttribute("popovertargetaction") !== "hide" || isOpen(target);
    if (isMeant) toggle(target);
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeOthers(null, null);
  });
}

function closeOthers(pressed: Element | null, target: HTMLElement | null): void {
  for (const sheet of document.querySelectorAll<HTMLElement>("[popover][data-open]"))
    if (sheet !== target && !sheet.contains(pressed)) toggle(sheet);
}

function isOpen(element: HTMLElement): boolean {
  return element instanceof HTMLDialogElement ? element.open : element.dataset["open"] !== undefined;
}

function toggle(element: HTMLElement): void {
  const wasOpen = isOpen(element);
  if (element instanceof HTMLDialogElement) {
    if (wasOpen) element.close();
    else element.showModal();
  } else {
    element.toggleAttribute("data-open", !wasOpen);
  }
  const states = { newState: wasOpen ? "closed" : "open", oldState: wasOpen ? "open" : "closed" };
  element.dispatchEvent(Object.assign(new Event("toggle"), states));
}
