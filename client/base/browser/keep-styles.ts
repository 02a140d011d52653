import { STYLES_COOKIE } from "#src/http/contract.ts";
import { storePreference } from "./store-preference.ts";

/** A network that swallows the request must not keep a connection of the page. */
const WITHIN_MS = 15_000;

/**
 * Fetches for the next page what its first paint needs: the styles that this page has brought in itself, as a file, and the font. The
 * browser keeps both, and a cookie says so: the next page links them, is less than half as long, and begins in the font.
 */
export function keepStyles(): void {
  const { file, font } = document.querySelector<HTMLElement>("style[data-file]")?.dataset ?? {};
  if (file === undefined || font === undefined) return;
  const keep = async () => {
    // Without the font the next page fetches it.
    const [, isKept] = await Promise.all([
      fetchWhole(font).catch(() => false),
      fetchWhole(`/assets/${file}`),
    ]);
    if (isKept) storePreference(STYLES_COOKIE, file);
  };
  // Without an answer the next page brings them again.
  keep().catch(() => undefined);
}

async function fetchWhole(url: string): Promise<boolean> {
  const answer = await fetch(url, { priority: "low", signal: AbortSignal.timeout(WITHIN_MS) });
  await answer.arrayBuffer();
  return answer.ok;
}
