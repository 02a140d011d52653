import type { DataRouter, RouterContextProvider } from "react-router";
import { followDevice } from "../senses/follow-device.ts";
import { loadFonts } from "./load-fonts.ts";
import { prefetchLinks } from "./prefetch-links.ts";
import { whenIdle } from "./when-idle.ts";

/**
 * What a page can do without until it is live, so that its first scripts are small. A page that is live late fetches it when it
 * is used.
 * @param contextAhead for the loaders of pages that are prefetched.
 */
export function followOnceLive(router: DataRouter, contextAhead: RouterContextProvider): void {
  prefetchLinks(router, contextAhead);
  whenIdle(loadFonts);
  whenIdle(followDevice);
}
