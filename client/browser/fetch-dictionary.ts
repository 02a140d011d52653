/**
 * Lets the browser fetch what it decompresses the next pages with (src/ssr/dictionary.ts). By itself it would do so while the
 * page's scripts are still on the line.
 */
export function fetchDictionary(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="compression-dictionary"]');
  const address = link?.dataset["href"];
  if (link !== null && address !== undefined) link.href = address;
}
