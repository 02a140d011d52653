import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { bundleScripts } from "./bundle-scripts.ts";
import { bundleStyles } from "./bundle-styles.ts";
import { compressFiles } from "./compress-files.ts";

const PROJECT = path.join(import.meta.dir, "..");
/** Where the newest build lies; src/ssr/assets.ts serves what is in it. */
export const BUILD_DIR = path.join(PROJECT, "dist");
const MANIFEST = "manifest.json";
const FONT = "@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2";
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path{fill:#14171A}@media(prefers-color-scheme:dark){path{fill:#F3F5F1}}</style><path d="M12 2A10 10 0 0 0 12 22L22 12Z"/></svg>`;

/** What a page needs to know of a build. Names are files in dist/assets. */
export type Manifest = {
  /** Changes with every file that the build is made of. */
  sources: string;
  entry: string;
  styles: string;
  font: string;
  mark: string;
  /** By module path below the project's root ("client/calls/history-screen.tsx"): the chunk and all it needs. */
  chunks: Record<string, string[]>;
};

/**
 * Bundles the browser's code and styles into dist/assets and describes them in dist/manifest.json. A build of the same
 * sources is kept. The new one takes the old one's place at once, so that whoever reads never sees half of it.
 */
export async function buildClient(): Promise<Manifest> {
  const sources = hashSources();
  const kept = readManifest();
  if (kept?.sources === sources) return kept;
  const dir = `${BUILD_DIR}.${process.pid}`;
  const assets = path.join(dir, "assets");
  mkdirSync(assets, { recursive: true });
  const chunks = await bundleScripts(assets);
  const font = keep(assets, "archivo.woff2", readFileSync(Bun.resolveSync(FONT, PROJECT)));
  const styles = keep(assets, "styles.css", Buffer.from(bundleStyles({ fontUrl: `/assets/${font}` })));
  const mark = keep(assets, "mark.svg", Buffer.from(MARK));
  const entry = chunks["client/entry.tsx"]?.[0];
  if (entry === undefined) throw new Error("The build made no entry.");
  const manifest = { sources, entry, styles, font, mark, chunks };
  await compressFiles(assets);
  writeFileSync(path.join(dir, MANIFEST), JSON.stringify(manifest, null, 2));
  replace(dir);
  return manifest;
}

function readManifest(): Manifest | null {
  const file = path.join(BUILD_DIR, MANIFEST);
  if (!existsSync(file)) return null;
  const manifest: Manifest = JSON.parse(readFileSync(file, "utf8"));
  return manifest;
}

/** One name for the state of everything that goes into a build. */
function hashSources(): string {
  const ours = ["client", "src"].flatMap((folder) =>
    readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: "utf8" })
      .map((file) => path.join(folder, file))
      .filter((file) => /\.(tsx?|css)$/.test(file) && (folder === "client" || file.endsWith("/contract.ts"))),
  );
  const hash = new Bun.CryptoHasher("sha256");
  for (const file of [...ours.sort(), "package.json", "bun.lock"]) {
    hash.update(file).update(readFileSync(path.join(PROJECT, file)));
  }
  return hash.update(Bun.version).digest("hex");
}

/** Writes a file under a name that changes with its content. */
function keep(dir: string, name: string, bytes: Uint8Array): string {
  const { name: stem, ext } = path.parse(name);
  const file = `${stem}-${Bun.hash(bytes).toString(36)}${ext}`;
  writeFileSync(path.join(dir, file), bytes);
  return file;
}

function replace(dir: string): void {
  const old = `${dir}.old`;
  if (existsSync(BUILD_DIR)) renameSync(BUILD_DIR, old);
  renameSync(dir, BUILD_DIR);
  rmSync(old, { recursive: true, force: true });
}

if (import.meta.main) await buildClient();
