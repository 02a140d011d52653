import { whenIdle } from "./when-idle.ts";
import { whenUsed } from "./when-used.ts";

/** The files of the font. The bundler puts them here (client/build/fonts.ts). */
declare const FONT: { files: readonly ({ url: string } & FontFaceDescriptors)[] };

/** A page that is live later than this came over a slow line, or to a slow device. */
const SLOW_LIVE_MS = 1_000;

/**
 * Loads the font when the page is live, because until then its scripts need the line and the processor. A page that is live
 * late waits until it is used: there the font costs as much as half of its scripts, and the layout after it a tenth of a second.
 */
export function loadFonts(): void {
  if (performance.now() > SLOW_LIVE_MS) whenUsed(fetchFonts);
  else whenIdle(fetchFonts);
}

/**
 * Fetches the font and shows the page in it: once the page is live, because until then its scripts need the line and the
 * processor. The page gets the font when it is there, so the browser lays the page out once. The letters of the second file are
 * fetched when the page shows one of them. Without the font the page stays in the fallback font, which is as wide.
 */
function fetchFonts(): void {
  const faces = FONT.files.map(
    ({ url, ...descriptors }) => new FontFace("Archivo Variable", `url(${url})`, descriptors),
  );
  const show = () => {
    for (const face of faces) document.fonts.add(face);
  };
  // Without an answer the next page tries again.
  faces[0]?.load().then(show, () => undefined);
}
