import { createStore } from "../base/browser/store.ts";

/** What the browser offers when the product can be installed. TypeScript does not know it: only some browsers have it. */
type InstallOffer = Event & { prompt: () => Promise<{ outcome: "accepted" | "dismissed" }> };

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallOffer;
  }
}

/** The offer; null if there is none, or once it was used. */
export const installOffer = createStore<InstallOffer | null>(null);

/** Keeps the browser's offer for the menu. It comes once per page, so this must listen from the start. */
export function keepInstallOffer(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    // No banner of the browser's own.
    event.preventDefault();
    installOffer.set(event);
  });
}
