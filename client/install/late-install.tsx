import { storeDelay } from "#client/base/delay/device-delay.ts";
import type { Api } from "../base/api/api.ts";
import type { Page } from "../base/page/page.ts";
import { registerWorker } from "./register-worker.ts";
import { followSubscriber } from "./subscription.ts";

export { InstallEntry } from "./install-entry.tsx";
export { PushPanel } from "./push-panel.tsx";
export { unsubscribe } from "./subscription.ts";

/** Starts what an installed app is more than a page. */
export function followInstall(page: Page, api: Api): void {
  void registerWorker();
  followTheme();
  // Without storage the worker cannot read the delay.
  void storeDelay(page.delaySeconds).catch(() => undefined);
  void followSubscriber(page.viewer, api);
}

/** Colours the bars of the system like the page, when the player chooses another theme. The next page comes with the colour. */
function followTheme(): void {
  new MutationObserver(() => {
    const color = getComputedStyle(document.body).backgroundColor;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.setAttribute("content", color);
  }).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}
