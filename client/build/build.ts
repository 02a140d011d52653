import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { bundleScripts } from "./bundle-scripts.ts";
import { allStyles, type PageStyles, pageStyles } from "./bundle-styles.ts";
import { compressFiles } from "./compress-files.ts";
import { type FontFile, fontFaces, fontFile, fonts } from "./fonts.ts";
import { minifyFiles } from "./minify-files.ts";

const PROJECT = path.join(import.meta.dir, "../..");
/** Each build has its own folder here, named by the hash of its sources. */
const BUILDS = path.join(PROJECT, "dist");
const MANIFEST = "manifest.json";
const ASSETS = "assets";
const HASH_LETTERS = 16;
const FONTS = path.join(PROJECT, "client/fonts");
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path{fill:#14171A}@media(prefers-color-scheme:dark){path{fill:#F3F5F1}}</style><path d="M12 2A10 10 0 0 0 12 22L22 12Z"/></svg>`;

/** What the server needs to know of a build. All names are files in its folder `assets`. */
export type Manifest = {
  entry: string;
  /** All styles in one file. */
  styles: string;
  mark: string;
  /** The styles of the pages whose screens are in a module, by its path: the critical ones as text, the rest as a file. */
  pageStyles: Record<string, PageStyles>;
  /** The chunk of a module and all chunks that it imports, by the module's path ("client/screens.ts"). */
  chunks: Record<string, string[]>;
};

export type Build = { assetsDir: string; manifest: Manifest };

/**
 * Bundles the browser's code and styles, unless a build of the same sources exists. A new build is moved into place in one
 * step, so that no process reads half of it. Older builds are deleted.
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
  const fontFiles = writeFonts(assets);
  const chunks = await bundleScripts(assets, fontFiles);
  const entry = chunks["client/entry.tsx"]?.[0];
  if (entry === undefined) throw new Error("The bundler made no entry.");
  const mark = writeHashed(assets, "mark.svg", Buffer.from(MARK));
  const styles = writeStyles(assets, Object.keys(chunks), fontFiles);
  const manifest: Manifest = { entry, mark, chunks, ...styles };
  await minifyFiles(assets, chunks["client/entry.tsx"]);
  await compressFiles(assets);
  writeFileSync(path.join(dir, MANIFEST), JSON.stringify(manifest, null, 2));
}

function writeFonts(dir: string): FontFile[] {
  return fonts.map(({ file, ranges }) => {
    const name = writeHashed(dir, file, readFileSync(path.join(FONTS, file)));
    return fontFile(`/assets/${name}`, ranges);
  });
}

/** Writes the style sheets of all modules. */
function writeStyles(
  dir: string,
  modules: readonly string[],
  fontFiles: readonly FontFile[],
): Pick<Manifest, "styles" | "pageStyles"> {
  const faces = fontFaces(fontFiles);
  const write = (styles: string) => writeHashed(dir, "styles.css", Buffer.from(styles));
  const stylesOf = (module: string): PageStyles => {
    const { critical, rest } = pageStyles(module, faces);
    return { critical, rest: write(rest) };
  };
  return {
    styles: write(allStyles(faces)),
    pageStyles: Object.fromEntries(modules.map((module) => [module, stylesOf(module)])),
  };
}

/** A hash of everything that a build depends on. */
function hashSources(): string {
  const sources = ["client", "src", "db/lists"].flatMap((folder) =>
    readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: "utf8" })
      .map((file) => path.join(folder, file))
      .filter(
        (file) => /\.(tsx?|css|woff2)$/.test(file) && (folder !== "src" || file.endsWith("/contract.ts")),
      ),
  );
  const hash = new Bun.CryptoHasher("sha256");
  for (const file of [...sources.sort(), "package.json", "bun.lock"]) {
    hash.update(file).update(readFileSync(path.join(PROJECT, file)));
  }
  return hash.update(Bun.version).digest("hex").slice(0, HASH_LETTERS);
}

/** Writes a file under a name that contains the hash of its content. */
function writeHashed(dir: string, name: string, bytes: Uint8Array): string {
  const { name: stem, ext } = path.parse(name);
  const file = `${stem}-${Bun.hash(bytes).toString(36)}${ext}`;
  writeFileSync(path.join(dir, file), bytes);
  return file;
}

/** Moves the build into place, unless another process has made the same one meanwhile. Deletes older builds. */
function publish(draft: string, dir: string): void {
  if (!existsSync(dir)) renameSync(draft, dir);
  for (const name of readdirSync(BUILDS)) {
    const isDraft = name.includes(".");
    if (name !== path.basename(dir) && !isDraft)
      rmSync(path.join(BUILDS, name), { recursive: true, force: true });
  }
}

if (import.meta.main) await buildClient();
