import { shell } from "./shell.ts";

const PREFIX = "shell-";
const CACHE = PREFIX + shell.version;

/** The message to a worker that waits: nothing needs the one before it any more. */
export const TAKE_OVER = "take over";

/** Stores the files that every page needs. A page that is live has them in the browser's own cache, so nothing is fetched twice. */
export async function fillCache(): Promise<void> {
  await (await caches.open(CACHE)).addAll(shell.files);
}

/** Answers a file from the cache, and stores one that was not there: under its name there will never be another. */
export async function answerAsset(request: Request): Promise<Response> {
  const cached = await caches.match(request.url, { ignoreVary: true });
  if (cached !== undefined) return cached;
  const response = await fetch(request);
  if (response.status === 200 && response.headers.get("cache-control")?.includes("immutable") === true) {
    // A full disk is no reason to fail.
    const copy = response.clone();
    caches
      .open(CACHE)
      .then((cache) => cache.put(request.url, copy))
      .catch(() => undefined);
  }
  return response;
}

/** No page of an older build is open when a worker becomes active. */
export async function removeOlderCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/**
 * At a navigation, the worker of the next build takes over if there is one and no other page is open. By itself the browser would
 * wait until all pages are closed, which an installed app may never be.
 */
export async function letNextWorkerIn(): Promise<void> {
  const { waiting } = registration;
  if (waiting === null) return;
  const pages = await clients.matchAll({ type: "window" });
  if (pages.length <= 1) waiting.postMessage(TAKE_OVER);
}
