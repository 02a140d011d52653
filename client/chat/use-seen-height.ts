import { useEffect } from "react";

const NAME = "--seen-height";

/** Keeps the page as high as what is to be seen of it, so that an open keyboard hides neither the field nor the newest lines. */
export function useSeenHeight(): void {
  useEffect(() => {
    const { visualViewport: seen, document: page } = globalThis.window;
    if (seen === null) return;
    const measure = () => {
      page.documentElement.style.setProperty(NAME, `${seen.height}px`);
      // The browser has moved the page up to show the field; it fits without that.
      globalThis.scrollTo(0, 0);
    };
    seen.addEventListener("resize", measure);
    return () => {
      seen.removeEventListener("resize", measure);
      page.documentElement.style.removeProperty(NAME);
    };
  }, []);
}
