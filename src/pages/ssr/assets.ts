import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ASSETS, buildClient, type Manifest, WORKER_FILE } from "#client/build/build.ts";
import type { Encoding } from "#src/http/choose-encoding.ts";

type Bytes = Uint8Array<ArrayBuffer>;
/** A file as it is served. */
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
  /** The icon as a `data:` URL, which needs no request. */
  icon: string;
};

/** The compressed forms of a file (client/build/compress-files.ts), in order of preference. */
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
  const icon = await Bun.file(path.join(dir, manifest.mark)).text();
  const builds = path.join(dir, "../..");
  return {
    manifest,
    files: new Map(files),
    findInOtherBuilds: (name) => findInBuilds(builds, name),
    icon: dataUrl(icon),
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
  const type = types[path.extname(name)];
  if (type === undefined) return null;
  const bytes = new Uint8Array(readFileSync(path.join(dir, name)));
  const compressed = forms.flatMap(([encoding, extension]) => {
    const file = `${name}${extension}`;
    return names.includes(file)
      ? [[encoding, new Uint8Array(readFileSync(path.join(dir, file)))] as const]
      : [];
  });
  return {
    bytes,
    compressed: new Map(compressed),
    type,
    etag: `W/"${Bun.hash(bytes).toString(36)}"`,
  };
}
