declare global {
  interface Window {
    /** The page has found that the browser is too old for the app (src/pages/ssr/look-at-browser.ts). */
    tooOld?: true;
  }
}

/** What such a page says. */
export const TOO_OLD =
  "This browser is too old to play live. The page works without: load it again to see what is new.";
