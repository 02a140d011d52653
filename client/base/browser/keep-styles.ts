/** A network that swallows the request must not keep a connection of the page. */
const WITHIN_MS = 15_000;

/**
 * Fetches for the next page what its first paint needs: the styles that this page has brought in itself, as files, and the font. The
 * browser keeps them.
 */
export function keepStyles(): void {
  const sheets = [...document.querySelectorAll<HTMLElement>("style[data-keep]")];
  for (const address of new Set(sheets.flatMap(({ dataset: { keep = "" } }) => keep.split(" "))))
    // Without an answer the next page fetches it.
    fetchWhole(address).catch(() => undefined);
}

async function fetchWhole(url: string): Promise<void> {
  const answer = await fetch(url, { priority: "low", signal: AbortSignal.timeout(WITHIN_MS) });
  await answer.arrayBuffer();
}
