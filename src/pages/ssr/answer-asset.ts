import { WORKER_FILE } from "#client/build/build.ts";
import { chooseEncoding } from "#src/http/choose-encoding.ts";
import { notModified } from "#src/http/not-modified.ts";
import type { Assets } from "./assets.ts";

const FOREVER = "public, max-age=31536000, immutable";
const DAY = "public, max-age=86400";
/** Stored, and asked for again each time: an update must not wait for a cache. */
const REVALIDATED = "no-cache";
/** The service worker fetches the product's own files, and does nothing else. Its icons are shown with messages. */
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'";

/** Serves a file by its name, in the encoding that the browser prefers; null for an unknown file. */
export function answerAsset(assets: Assets, name: string, request: Request): Response | null {
  const asset = assets.files.get(name) ?? assets.findInOtherBuilds(name);
  if (asset === null) return null;
  const headers = new Headers({
    "content-type": asset.type,
    // The file's name contains a hash of its content.
    "cache-control": FOREVER,
    etag: asset.etag,
    vary: "accept-encoding",
  });
  const known = notModified(request, headers);
  if (known !== null) return known;
  const encoding = chooseEncoding(request, [...asset.compressed.keys()]);
  if (encoding === null) return new Response(asset.bytes, { headers });
  headers.set("content-encoding", encoding);
  return new Response(asset.compressed.get(encoding), { headers });
}

/** The icon, for browsers that request /favicon.ico by default. */
export function answerFavicon(assets: Assets, request: Request): Response | null {
  const response = answerAsset(assets, assets.manifest.mark, request);
  response?.headers.set("cache-control", DAY);
  return response;
}

/** What strangers may find: the front door, the rules, and what players have shared. The game's pages change by the second. */
const ROBOTS = `User-agent: *
Allow: /$
Allow: /assets/
Allow: /join
Allow: /users/sign_in
Allow: /terms
Allow: /shared/
Disallow: /
`;

/** Says to search engines which pages they may read. */
export function answerRobots(): Response {
  return new Response(ROBOTS, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": DAY },
  });
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
