/** The name and the files of the font. The bundler puts them here (client/build/fonts.ts). */
declare const FONT: { family: string; files: readonly ({ url: string } & FontFaceDescriptors)[] };

/**
 * Fetches the font and shows the page in it: once the page is live, because until then its scripts need the line and the
 * processor. The page gets the font when it is there, so the browser lays the page out once. The letters of the second file are
 * fetched when the page shows one of them. Without the font the page stays in the fallback font, which is as wide.
 */
export function loadFonts(): void {
  const faces = FONT.files.map(
    ({ url, ...descriptors }) => new FontFace(FONT.family, `url(${url})`, descriptors),
  );
  const show = () => {
    for (const face of faces) document.fonts.add(face);
  };
  // Without an answer the next page tries again.
  faces[0]?.load().then(show, () => undefined);
}
