import { type Api, ApiError } from "../api/api.ts";
import type { Page } from "../page/page.ts";
import { pauseCable, resumeCable } from "./cable.ts";

let isSignedOut = false;

/** The viewer has signed out on this page: "Back" must not show it again. */
export function forgetPage(): void {
  isSignedOut = true;
}

/**
 * Browsers keep a page that is left, and show it again on "Back" as it was. They do so only without an open socket, so a left
 * page closes its own; a page that is shown again connects, and catches up from its offsets. If another viewer has signed in
 * meanwhile, or nobody is, the page is loaded again.
 */
export function followPageCache({ viewer }: Page, api: Api): void {
  window.addEventListener("pagehide", () => {
    if (isSignedOut) document.body.hidden = true;
    pauseCable();
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    resumeCable();
    void reloadForOthers(viewer, api);
  });
}

async function reloadForOthers(viewer: Page["viewer"], api: Api): Promise<void> {
  if (isSignedOut || viewer === null || !(await isStill(viewer.id, api))) globalThis.location.reload();
}

/** Without an answer the page stays: its viewer may be offline. */
async function isStill(viewerId: number, api: Api): Promise<boolean> {
  try {
    const { user } = await api.get("/api/v1/users/me");
    return user.id === viewerId;
  } catch (error) {
    return !(error instanceof ApiError) || error.status !== 401;
  }
}
