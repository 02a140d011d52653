import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { buildClient, type Manifest } from "#client/build/build.ts";

type Bytes = Uint8Array<ArrayBuffer>;
/** A file, and its compressed forms by encoding. */
type Asset = { bytes: Bytes; compressed: ReadonlyMap<Encoding, Bytes>; type: string; etag: string };
export type Assets = {
  manifest: Manifest;
  files: ReadonlyMap<string, Asset>;
  /** The icon as a `data:` URL, which needs no request. */
  icon: string;
};

const FOREVER = "public, max-age=31536000, immutable";
const DAY = "public, max-age=86400";
/** In order of preference. */
const extensions = { br: ".br", gzip: ".gz" } as const;
type Encoding = keyof typeof extensions;
const encodings: readonly Encoding[] = ["br", "gzip"];

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
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

/** Serves a file by its name, in the smallest encoding that the browser accepts; null for an unknown file. */
export function answerAsset({ files }: Assets, name: string, request: Request): Response | null {
  const asset = files.get(name);
  if (asset === undefined) return null;
  const headers = new Headers({
    "content-type": asset.type,
    // The file's name contains a hash of its content.
    "cache-control": FOREVER,
    etag: asset.etag,
    vary: "accept-encoding",
  });
  if (request.headers.get("if-none-match") === asset.etag)
    return new Response(null, { status: 304, headers });
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

async function load(): Promise<Assets> {
  const { assetsDir: dir, manifest } = await buildClient();
  const names = readdirSync(dir);
  const files = names.flatMap((name) => {
    const type = types[path.extname(name)];
    return type === undefined ? [] : [[name, readAsset(dir, { name, type, names })] as const];
  });
  const icon = await Bun.file(path.join(dir, manifest.mark)).text();
  return { manifest, files: new Map(files), icon: dataUrl(icon) };
}

/** An SVG as a URL that may stand in double quotes. */
function dataUrl(svg: string): string {
  const escaped = svg.replaceAll('"', "'").replaceAll(/[<>#%]/g, encodeURIComponent);
  return `data:image/svg+xml,${escaped}`;
}

function readAsset(
  dir: string,
  { name, type, names }: { name: string; type: string; names: string[] },
): Asset {
  const bytes = new Uint8Array(readFileSync(path.join(dir, name)));
  const compressed = encodings.flatMap((encoding) => {
    const file = `${name}${extensions[encoding]}`;
    return names.includes(file)
      ? [[encoding, new Uint8Array(readFileSync(path.join(dir, file)))] as const]
      : [];
  });
  return { bytes, compressed: new Map(compressed), type, etag: `"${Bun.hash(bytes).toString(36)}"` };
}
