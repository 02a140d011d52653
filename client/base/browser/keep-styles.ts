/** A network that swallows the request must not keep a connection of the page. */
const WITHIN_MS = 15_000;

/** Fetches what the next page's first paint needs, for the browser to keep: the styles that came within this one, and the font. */
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
