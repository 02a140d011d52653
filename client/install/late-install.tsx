import { storeDelay } from "#client/base/delay/device-delay.ts";
import type { Api } from "../base/api/api.ts";
import type { Page } from "../base/page/page.ts";
import { followTheme } from "./follow-theme.ts";
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
