import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { bundleScripts } from "./bundle-scripts.ts";
import { bundleStyles } from "./bundle-styles.ts";
import { compressFiles } from "./compress-files.ts";
import { minifyFiles } from "./minify-files.ts";

const PROJECT = path.join(import.meta.dir, "../..");
/** Each build lies in a folder of its own here, named by its sources. */
const BUILDS = path.join(PROJECT, "dist");
const MANIFEST = "manifest.json";
const ASSETS = "assets";
const HASH_LETTERS = 16;
const FONT = "@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2";
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path{fill:#14171A}@media(prefers-color-scheme:dark){path{fill:#F3F5F1}}</style><path d="M12 2A10 10 0 0 0 12 22L22 12Z"/></svg>`;

/** What a page needs to know of a build. Names are files in its folder `assets`. */
export type Manifest = {
  entry: string;
  styles: string;
  font: string;
  mark: string;
  /** By module path below the project's root ("client/calls/history-screen.tsx"): the chunk and all it needs. */
  chunks: Record<string, string[]>;
};

export type Build = { assetsDir: string; manifest: Manifest };

/**
 * Bundles the browser's code and styles. A build of the same sources is kept; a new one appears all at once, so that
 * whoever reads never sees half of it, and those before it go.
 */
export async function buildClient(): Promise<Build> {
  const dir = path.join(BUILDS, hashSources());
  if (!existsSync(dir)) {
    const draft = `${dir}.${process.pid}`;
    try {
      await makeBuild(draft);
      publish(draft, dir);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  const manifest: Manifest = JSON.parse(readFileSync(path.join(dir, MANIFEST), "utf8"));
  return { assetsDir: path.join(dir, ASSETS), manifest };
}

async function makeBuild(dir: string): Promise<void> {
  const assets = path.join(dir, ASSETS);
  mkdirSync(assets, { recursive: true });
  const chunks = await bundleScripts(assets);
  const font = keep(assets, "archivo.woff2", readFileSync(Bun.resolveSync(FONT, PROJECT)));
  const styles = keep(assets, "styles.css", Buffer.from(bundleStyles({ fontUrl: `/assets/${font}` })));
  const mark = keep(assets, "mark.svg", Buffer.from(MARK));
  const entry = chunks["client/entry.tsx"]?.[0];
  if (entry === undefined) throw new Error("The build made no entry.");
  const manifest: Manifest = { entry, styles, font, mark, chunks };
  await minifyFiles(assets);
  await compressFiles(assets);
  writeFileSync(path.join(dir, MANIFEST), JSON.stringify(manifest, null, 2));
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
  return hash.update(Bun.version).digest("hex").slice(0, HASH_LETTERS);
}

/** Writes a file under a name that changes with its content. */
function keep(dir: string, name: string, bytes: Uint8Array): string {
  const { name: stem, ext } = path.parse(name);
  const file = `${stem}-${Bun.hash(bytes).toString(36)}${ext}`;
  writeFileSync(path.join(dir, file), bytes);
  return file;
}

/** Another process may have made the same build meanwhile: then that one counts. */
function publish(draft: string, dir: string): void {
  if (!existsSync(dir)) renameSync(draft, dir);
  for (const name of readdirSync(BUILDS)) {
    const isDraft = name.includes(".");
    if (name !== path.basename(dir) && !isDraft)
      rmSync(path.join(BUILDS, name), { recursive: true, force: true });
  }
}

if (import.meta.main) await buildClient();
