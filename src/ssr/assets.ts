import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ASSETS, buildClient, type Manifest, WORKER_FILE } from "#client/build/build.ts";
import { type Dictionary, prepareDictionary } from "./dictionary.ts";

type Bytes = Uint8Array<ArrayBuffer>;
/** A file, and its compressed forms by encoding. */
export type Asset = {
  bytes: Bytes;
  compressed: ReadonlyMap<Encoding, Bytes>;
  type: string;
  etag: string;
};
export type Assets = {
  manifest: Manifest;
  files: ReadonlyMap<string, Asset>;
  /** A file of another build on this disk, or null: pages of the build before an update fetch the rest of their code. */
  findInOtherBuilds: (name: string) => Asset | null;
  /** The script of any build on this disk with this stem (see stemOf) and SHA-256; null for none. */
  findDictionary: (stem: string, hash: string) => Dictionary | null;
  /** What browsers decompress pages with: a file of its own. */
  dictionary: Dictionary;
  /** The icon as a `data:` URL, which needs no request. */
  icon: string;
};

const extensions = { br: ".br", gzip: ".gz" } as const;
type Encoding = keyof typeof extensions;
/** In order of preference. */
export const encodings: readonly Encoding[] = ["br", "gzip"];

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
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
    findDictionary: createDictionaryFinder(builds),
    dictionary: prepareDictionary(new Uint8Array(readFileSync(path.join(dir, manifest.dictionary)))),
    icon: dataUrl(icon),
  };
}

/** Reads each file of the builds once, because any request may name a hash. */
function createDictionaryFinder(builds: string): Assets["findDictionary"] {
  const known = new Map<string, Dictionary>();
  const read = (dir: string, name: string): Dictionary => {
    // Its name has a hash of its content.
    const dictionary =
      known.get(name) ?? prepareDictionary(new Uint8Array(readFileSync(path.join(dir, name))));
    known.set(name, dictionary);
    return dictionary;
  };
  const find = (stem: string, hash: string): Dictionary | null => {
    for (const [dir, names] of foldersIn(builds)) {
      const found = names
        .filter((name) => stemOf(name) === stem)
        .map((name) => read(dir, name))
        .find((dictionary) => dictionary.hash === hash);
      if (found !== undefined) return found;
    }
    return null;
  };
  return (stem, hash) => {
    try {
      return find(stem, hash);
    } catch {
      // Another process has just deleted a build. The browser gets the whole script.
      return null;
    }
  };
}

/** @param name must be a file's name in the folder's own list: a path finds nothing. */
function findInBuilds(builds: string, name: string): Asset | null {
  if (name === WORKER_FILE) return null;
  for (const [dir, names] of foldersIn(builds)) if (names.includes(name)) return readAsset(dir, name, names);
  return null;
}

/** The folders with the files of all builds, and the names in each. */
function* foldersIn(builds: string): Generator<[dir: string, names: readonly string[]]> {
  for (const build of readdirSync(builds)) {
    const dir = path.join(builds, build, ASSETS);
    // A build is written to a folder with a dot in its name. Another process may delete one meanwhile.
    if (!build.includes(".") && existsSync(dir)) yield [dir, readdirSync(dir)];
  }
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
  const compressed = encodings.flatMap((encoding) => {
    const file = `${name}${extensions[encoding]}`;
    return names.includes(file)
      ? [[encoding, new Uint8Array(readFileSync(path.join(dir, file)))] as const]
      : [];
  });
  return {
    bytes,
    compressed: new Map(compressed),
    type,
    etag: `"${Bun.hash(bytes).toString(36)}"`,
  };
}

/** The name of a script without its hash: that of the same module in every build. Null for other files. */
export function stemOf(name: string): string | null {
  return /^(.+)-[^-]+\.js$/.exec(name)?.[1] ?? null;
}
