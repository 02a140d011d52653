let registering: Promise<ServiceWorkerRegistration | null> | null = null;

/**
 * Registers the service worker, once per page. A new one is found by the browser itself, at each navigation.
 * @returns null if this browser has none or does not allow one; the product works without.
 */
export function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  registering ??= register();
  return registering;
}

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator)) return null;
  try {
    // Tools that switch service workers off answer with nothing.
    const registered: Promise<ServiceWorkerRegistration | undefined> =
      navigator.serviceWorker.register("/service-worker.js");
    return (await registered) ?? null;
  } catch {
    return null;
  }
}
