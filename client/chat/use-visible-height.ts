import { useEffect } from "react";

/** The style sheets read this property. */
const VISIBLE_HEIGHT = "--seen-height";

/**
 * Fits the chat to the visible part of the window, so that an open keyboard hides neither the field nor the newest messages.
 * @param enabled false while the chat is not shown.
 */
export function useVisibleHeight(enabled: boolean): void {
  useEffect(() => {
    const { visualViewport: viewport, document: page } = globalThis.window;
    if (viewport === null || !enabled) return;
    const measure = () => {
      page.documentElement.style.setProperty(VISIBLE_HEIGHT, `${viewport.height}px`);
      // The browser has scrolled the page to show the field. The page fits without that.
      globalThis.scrollTo(0, 0);
    };
    viewport.addEventListener("resize", measure);
    return () => {
      viewport.removeEventListener("resize", measure);
      page.documentElement.style.removeProperty(VISIBLE_HEIGHT);
    };
  }, [enabled]);
}
