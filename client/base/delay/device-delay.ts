import { delayIn } from "#src/http/contract.ts";

const CACHE = "device";
const ADDRESS = "/device/delay";

/**
 * Stores this device's stream delay for the service worker, which cannot read cookies in every browser. Where caches are switched
 * off there is no worker either.
 */
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
