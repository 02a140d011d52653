import type { DataRouter, RouterContextProvider } from "react-router";
import { prefetchLinks } from "#client/base/api/prefetch-links.ts";
import { keepLength } from "#client/base/browser/keep-length.ts";
import { keepStyles } from "#client/base/browser/keep-styles.ts";
import { whenIdle } from "#client/base/browser/when-idle.ts";
import { fetchLate } from "#client/base/live/late-code.ts";
import { followDevice } from "../sound-and-vibration/follow-device.ts";

/**
 * What a page can do without until it is live, so that its first scripts are small. A page that is live late fetches it when it
 * is used.
 * @param contextAhead for the loaders of pages that are prefetched.
 */
export function followOnceLive(router: DataRouter, contextAhead: RouterContextProvider): void {
  prefetchLinks(router, contextAhead);
  whenIdle(keepStyles);
  whenIdle(followDevice);
  keepLength();
  // Without an answer the browser decides where the focus goes.
  whenIdle(
    () =>
      void fetchLate(() => import("#client/base/browser/keep-focus.ts")).then(
        ({ keepFocus }) => keepFocus(),
        () => undefined,
      ),
  );
}
