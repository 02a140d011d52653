import type { Api } from "../base/api/api.ts";
import { useLateParts } from "../base/deferred/use-late-parts.ts";
import { withLate } from "../base/live/late-code.ts";
import { whenUsed } from "../base/live/when-used.ts";
import type { Page } from "../base/page/page.ts";
import { keepInstallOffer } from "./offer.ts";

const load = () => import("./late-install.tsx");

/** Registers the service worker and follows the device, once the page is used. */
export function startInstall(page: Page, api: Api): void {
  keepInstallOffer();
  whenUsed(() => withLate(load, ({ followInstall }) => followInstall(page, api)));
}

/** What the menu and the notifications have of it. @returns null until it is opened and the code has arrived. */
export function useInstall({ opened }: { opened: boolean }) {
  return useLateParts(opened ? load : null);
}
