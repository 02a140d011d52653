import { DELAY_COOKIE, delayIn } from "#src/http/contract.ts";
import { store } from "../browser/storage.ts";
import { storePreference } from "../browser/store-preference.ts";

const CACHE = "device";
const ADDRESS = "/device/delay";

/** Stores this device's stream delay for the service worker, which cannot read cookies in every browser. */
export async function storeDelay(seconds: number): Promise<void> {
  if (!("caches" in globalThis) || seconds === (await readDelay())) return;
  const cache = await caches.open(CACHE);
  await cache.put(ADDRESS, new Response(String(seconds)));
}

/** The seconds by which this device's pages are behind; 0 if nothing is stored. */
export async function readDelay(): Promise<number> {
  const stored = await caches.match(ADDRESS, { cacheName: CACHE });
  return delayIn((await stored?.text()) ?? null);
}

/** Sets this device's stream delay and loads the page again: the server delays it until it has caught up. */
export function chooseDelay(seconds: number): void {
  storePreference(DELAY_COOKIE, String(seconds), seconds === 0 ? 0 : undefined);
  // Other tabs of this device load again as well (follow-delay.ts); where storage is switched off, with their next page.
  store(DELAY_COOKIE, String(seconds));
  void storeDelay(seconds)
    .catch(() => undefined)
    .finally(() => globalThis.location.reload());
}
