import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Elysia } from "elysia";
import { ASSETS, buildClient, type Manifest, WORKER_FILE } from "#client/build/build.ts";
import { notFound } from "#src/base/refusal.ts";
import { chooseEncoding, type Encoding } from "#src/http/choose-encoding.ts";
import { notModified } from "#src/http/finish-answer.ts";
import { site } from "#src/settings/contract.ts";
import { findSiteFiles } from "./site-assets.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Asset = {
  bytes: Bytes;
  /** Its compressed forms, in order of preference. */
  compressed: ReadonlyMap<Encoding, Bytes>;
  type: string;
  /** Weak, because it names all forms. */
  etag: string;
};
export type Assets = {
  manifest: Manifest;
  files: ReadonlyMap<string, Asset>;
  /** A file of another build on this disk, or null: pages of the build before an update fetch the rest of their code. */
  findInOtherBuilds: (name: string) => Asset | null;
  /** The address of the icon: the mark as a `data:` URL, which needs no request, or the logo of the site. */
  icon: string;
};

/** The compressed forms of a file (client/build/build.ts), in order of preference. */
const forms: readonly (readonly [encoding: Encoding, extension: string])[] = [
  ["br", ".br"],
  ["gzip", ".gz"],
];

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".png": "image/png",
  ".webp": "image/webp",
  ".webmanifest": "application/manifest+json",
};

let loading: Promise<Assets> | null = null;

/** Loads the browser's files into memory, and builds them first where necessary. */
export function loadAssets(): Promise<Assets> {
  loading ??= load().catch((error: unknown) => {
    // The next request tries again.
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<Assets> {
  const { assetsDir: dir, manifest } = await buildClient();
  const names = readdirSync(dir);
  const files = names.flatMap((name) => {
    const asset = readAsset(dir, name, names);
    return asset === null ? [] : [[name, asset] as const];
  });
  const mark = await Bun.file(path.join(dir, manifest.mark)).text();
  const own = await findSiteFiles(manifest, new Map(files));
  const builds = path.join(dir, "../..");
  return {
    manifest: own.manifest,
    files: new Map([
      ...files,
      ...[...own.files].map(([name, bytes]) => [name, assetOf(name, bytes)] as const),
    ]),
    findInOtherBuilds: (name) => findInBuilds(builds, name),
    icon: own.icon ?? dataUrl(mark),
  };
}

/** @param name must be a file's name in the folder's own list: a path finds nothing. */
function findInBuilds(builds: string, name: string): Asset | null {
  if (name === WORKER_FILE) return null;
  for (const build of readdirSync(builds)) {
    const dir = path.join(builds, build, ASSETS);
    // A build is written to a folder with a dot in its name. Another process may delete one meanwhile.
    if (build.includes(".") || !existsSync(dir)) continue;
    const names = readdirSync(dir);
    if (names.includes(name)) return readAsset(dir, name, names);
  }
  return null;
}

/** An SVG as a URL that may stand in double quotes. */
function dataUrl(svg: string): string {
  const escaped = svg.replaceAll('"', "'").replaceAll(/[<>#%]/g, encodeURIComponent);
  return `data:image/svg+xml,${escaped}`;
}

/** @returns null for a file that is not served as it is, such as a compressed form of another. */
function readAsset(dir: string, name: string, names: readonly string[]): Asset | null {
  if (!(path.extname(name) in types)) return null;
  const bytes = new Uint8Array(readFileSync(path.join(dir, name)));
  const compressed = forms.flatMap(([encoding, extension]) => {
    const file = `${name}${extension}`;
    return names.includes(file)
      ? [[encoding, new Uint8Array(readFileSync(path.join(dir, file)))] as const]
      : [];
  });
  return assetOf(name, bytes, new Map(compressed));
}

function assetOf(name: string, bytes: Bytes, compressed?: Asset["compressed"]): Asset {
  return {
    bytes,
    compressed: compressed ?? new Map(/\.(js|svg)$/.test(name) ? [["gzip", Bun.gzipSync(bytes)]] : []),
    type: types[path.extname(name)] ?? "",
    etag: `W/"${Bun.hash(bytes).toString(36)}"`,
  };
}

const FOREVER = "public, max-age=31536000, immutable";
const DAY = "public, max-age=86400";
/** Stored, and asked for again each time: an update must not wait for a cache. */
const REVALIDATED = "no-cache";
/** The service worker fetches the product's own files, and does nothing else. Its icons are shown with messages. */
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'";

/** Serves a file by its name, in the encoding that the browser prefers; null for an unknown file. */
function answerAsset(assets: Assets, name: string, request: Request): Response | null {
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
function answerFavicon(assets: Assets, request: Request): Response | null {
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
function answerRobots(): Response {
  const own = site().pages.length === 0 ? "" : "Allow: /pages/\n";
  return new Response(ROBOTS.replace("Disallow", `${own}Disallow`), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": DAY },
  });
}

/** The web app manifest, by which browsers install the app. */
function answerAppManifest(assets: Assets, request: Request): Response | null {
  const response = answerAsset(assets, assets.manifest.app, request);
  response?.headers.set("cache-control", DAY);
  return response;
}

/** The service worker. It is at the top, because it works for the pages below its own path. */
function answerWorker(assets: Assets, request: Request): Response | null {
  const response = answerAsset(assets, WORKER_FILE, request);
  response?.headers.set("cache-control", REVALIDATED);
  response?.headers.set("content-security-policy", workerPolicy);
  return response;
}

/** Serves the files of the pages, and leads password managers to where a password is changed (a well-known URI of the W3C). */
export function files() {
  return new Elysia({ name: "files" })
    .get("/assets/:name", async ({ params, request }) => {
      return answerAsset(await loadAssets(), params.name, request) ?? refuse();
    })
    .get(
      "/manifest.webmanifest",
      async ({ request }) => answerAppManifest(await loadAssets(), request) ?? refuse(),
    )
    .get("/service-worker.js", async ({ request }) => answerWorker(await loadAssets(), request) ?? refuse())
    .get("/robots.txt", answerRobots)
    .get("/.well-known/change-password", ({ redirect }) => redirect("/profile/account"))
    .get("/favicon.ico", async ({ request }) => answerFavicon(await loadAssets(), request) ?? refuse());
}

function refuse(): never {
  throw notFound();
}
