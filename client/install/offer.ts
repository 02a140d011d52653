/** What the browser offers when the product can be installed. TypeScript does not know it: only some browsers have it. */
export type InstallOffer = Event & { prompt: () => Promise<{ outcome: "accepted" | "dismissed" }> };

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallOffer;
  }
}

const listeners = new Set<() => void>();
let offer: InstallOffer | null = null;

/** Keeps the browser's offer for the menu. It comes once per page, so this must listen from the start. */
export function keepInstallOffer(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    // No banner of the browser's own.
    event.preventDefault();
    setInstallOffer(event);
  });
}

/** The offer; null if there is none, or once it was used. */
export function installOffer(): InstallOffer | null {
  return offer;
}

export function setInstallOffer(next: InstallOffer | null): void {
  offer = next;
  for (const listener of listeners) listener();
}

export function onInstallOffer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
