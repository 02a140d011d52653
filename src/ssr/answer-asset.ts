import { WORKER_FILE } from "#client/build/build.ts";
import { type Asset, type Assets, encodings, stemOf } from "./assets.ts";
import { availableHash, compressWith, type Dictionary } from "./dictionary.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const FOREVER = "public, max-age=31536000, immutable";
const DAY = "public, max-age=86400";
/** Stored, and asked for again each time: an update must not wait for a cache. */
const REVALIDATED = "no-cache";
/** The service worker fetches the product's own files, and does nothing else. Its icons are shown with messages. */
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'";

/**
 * Serves a file by its name, in the smallest encoding that the browser accepts; null for an unknown file. A browser that has the
 * script of another build gets what has changed since.
 */
export function answerAsset(assets: Assets, name: string, request: Request): Response | null {
  const asset = assets.files.get(name) ?? assets.findInOtherBuilds(name);
  if (asset === null) return null;
  const headers = new Headers({
    "content-type": asset.type,
    // The file's name contains a hash of its content.
    "cache-control": FOREVER,
    etag: asset.etag,
    vary: "accept-encoding, available-dictionary",
  });
  const usedFor = requestsFor(assets, name);
  if (usedFor !== null) headers.set("use-as-dictionary", usedFor);
  if (request.headers.get("if-none-match") === asset.etag)
    return new Response(null, { status: 304, headers });
  const changes = changesFor(assets, { name, asset }, request);
  if (changes !== null) {
    headers.set("content-encoding", "dcz");
    return new Response(changes, { headers });
  }
  const accepted = request.headers.get("accept-encoding") ?? "";
  const encoding = encodings.find((name) => accepted.includes(name) && asset.compressed.has(name));
  if (encoding === undefined) return new Response(asset.bytes, { headers });
  headers.set("content-encoding", encoding);
  return new Response(asset.compressed.get(encoding) ?? null, { headers });
}

/** The icon, for browsers that request /favicon.ico by default. */
export function answerFavicon(assets: Assets, request: Request): Response | null {
  const response = answerAsset(assets, assets.manifest.mark, request);
  response?.headers.set("cache-control", DAY);
  return response;
}

/** The web app manifest, by which browsers install the app. */
export function answerAppManifest(assets: Assets, request: Request): Response | null {
  const response = answerAsset(assets, assets.manifest.app, request);
  response?.headers.set("cache-control", DAY);
  return response;
}

/** The service worker. It is at the top, because it works for the pages below its own path. */
export function answerWorker(assets: Assets, request: Request): Response | null {
  const response = answerAsset(assets, WORKER_FILE, request);
  response?.headers.set("cache-control", REVALIDATED);
  response?.headers.set("content-security-policy", workerPolicy);
  return response;
}

/** The requests for which browsers may use a file as a dictionary, as RFC 9842 writes them; null for none. */
function requestsFor({ manifest }: Assets, name: string): string | null {
  if (name === manifest.dictionary) return 'match="/*", match-dest=("document")';
  // A chunk that several modules share has no name of its own.
  const isOfModule = Object.values(manifest.chunks).some(([own]) => own === name);
  return isOfModule ? `match="/assets/${stemOf(name)}-*.js", match-dest=("script")` : null;
}

/** Files that were compressed with a dictionary, which is a file of another build. There are few of them. */
const compressed = new WeakMap<Asset, WeakMap<Dictionary, Bytes>>();

/** The script, compressed with the one of another build that the browser has; null if it has none that is here, too. */
function changesFor(
  { findDictionary }: Assets,
  { name, asset }: { name: string; asset: Asset },
  request: Request,
): Bytes | null {
  const hash = availableHash(request);
  const stem = hash === null ? null : stemOf(name);
  const dictionary = hash === null || stem === null ? null : findDictionary(stem, hash);
  if (dictionary === null) return null;
  const known = compressed.get(asset) ?? new WeakMap<Dictionary, Bytes>();
  compressed.set(asset, known);
  const changes =
    known.get(dictionary) ?? Buffer.concat([dictionary.header, compressWith(dictionary, asset.bytes)]);
  known.set(dictionary, changes);
  return changes;
}
