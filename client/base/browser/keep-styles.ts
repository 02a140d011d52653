import { STYLES_COOKIE } from "#src/http/contract.ts";
import { storePreference } from "./store-preference.ts";

/**
 * Fetches the styles that the page has brought in itself as a file, which the browser keeps, and says so in a cookie: the next page
 * links them and is less than half as long.
 */
export function keepStyles(): void {
  const file = document.querySelector<HTMLElement>("style[data-file]")?.dataset["file"];
  if (file === undefined) return;
  const keep = async () => {
    const answer = await fetch(`/assets/${file}`, { priority: "low" });
    await answer.arrayBuffer();
    if (answer.ok) storePreference(STYLES_COOKIE, file);
  };
  // Without an answer the next page brings them again.
  keep().catch(() => undefined);
}
