import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { TOO_OLD } from "../base/page/too-old-texts.ts";
import { offlinePage, offlinePolicy } from "../install/offline-page.ts";
import { bundleScripts, checkFunctions } from "./bundle-scripts.ts";
import { describeApp, drawIcons, MARK_PATH } from "./draw-icons.ts";
import { fontFaces, type FontFile, fontFile, fonts } from "./fonts.ts";

const PROJECT = path.join(import.meta.dir, "../..");
/** Each build has its own folder here, named by the hash of its sources. */
const BUILDS = path.join(PROJECT, "dist");
const MANIFEST = "manifest.json";
/** The folder of a build with the files that browsers fetch. */
export const ASSETS = "assets";
const HASH_LETTERS = 16;
/** This build and those before it. Pages of theirs may be open, and fetch more of their files. */
const BUILDS_KEPT = 3;
/** The service worker has the same name in every build. */
export const WORKER_FILE = "service-worker.js";
const FONTS = path.join(PROJECT, "client/fonts");
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path{fill:#14171A}@media(prefers-color-scheme:dark){path{fill:#F3F5F1}}</style><path d="${MARK_PATH}"/></svg>`;

/** What the server needs to know of a build. All names are files in its folder `assets`. */
export type Manifest = {
  entry: string;
  /** The sheet of the entry, which every page has. */
  styles: string;
  /** The sheets by the module of a chunk: its own pages have them besides. */
  sheets: Record<string, StyleFile>;
  /** The styles of high contrast and forced colours. */
  contrast: StyleFile;
  font: PageFont;
  mark: string;
  /** What a browser gets that is too old for the app. */
  plainPage: string;
  /** The web app manifest, and the icon of the home screen of iOS. */
  app: string;
  touchIcon: string;
  /** The chunk of a module and all chunks that it imports, by the module's path ("client/app/screens.ts"). */
  chunks: Record<string, string[]>;
};

type StyleFile = { file: string; text: string };

/** The address of the font's first file, and its `@font-face` rules: for a page that has it at its first paint, and for one that waits. */
export type PageFont = { url: string; optional: string; swap: string };

export type Build = { assetsDir: string; manifest: Manifest };

/**
 * Bundles the browser's code and styles, unless a build of the same sources exists. A new build is moved into place in one
 * step, so that no process reads half of it. Older builds are deleted, except for the last ones.
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The folder's name is the hash of these sources, whose `makeBuild` wrote it.
  const manifest = JSON.parse(readFileSync(path.join(dir, MANIFEST), "utf8")) as Manifest;
  return { assetsDir: path.join(dir, ASSETS), manifest };
}

async function makeBuild(dir: string): Promise<void> {
  // Only a build minifies: the server that finds one does without the library.
  const { bundleSheet, contrastStyles, minify, playerStyles } = await import("./bundle-styles.ts");
  const assets = path.join(dir, ASSETS);
  mkdirSync(assets, { recursive: true });
  const fontFiles = writeFonts(assets);
  const { chunks, sheets: sources } = await bundleScripts(assets);
  const entry = chunks[ENTRY]?.[0];
  if (entry === undefined) throw new Error("The bundler made no entry.");
  const mark = writeHashed(assets, "mark.svg", Buffer.from(MARK));
  const writeStyles = (text: string, name: string): StyleFile => ({
    file: writeHashed(assets, name, Buffer.from(text)),
    text,
  });
  const sheets = Object.fromEntries(
    Object.entries(sources).map(([module, sheet]) => {
      const text = module === ENTRY ? playerStyles(sheet) : bundleSheet(sheet);
      return [module, writeStyles(text, path.basename(sheet))];
    }),
  );
  const players = sheets[ENTRY];
  if (players === undefined) throw new Error("The entry imports no style sheet.");
  const contrast = writeStyles(contrastStyles(), "contrast.css");
  const font: PageFont = {
    url: fontFiles[0]?.url ?? "",
    optional: minify(fontFaces(fontFiles, "optional")),
    swap: minify(fontFaces(fontFiles, "swap")),
  };
  const { icon, badge, ...app } = await writeApp(assets);
  const plainPageFile = writePlainPage(
    assets,
    Object.values(sheets)
      .map(({ text }) => text)
      .join(""),
  );
  const manifest: Manifest = {
    entry,
    mark,
    chunks,
    font,
    plainPage: plainPageFile,
    styles: players.file,
    sheets,
    contrast,
    ...app,
  };
  const files = [...(chunks[ENTRY] ?? []), players.file, mark].map(addressOf);
  const worker = await buildWorker({
    files: [...files, font.url],
    icon: addressOf(icon),
    badge: addressOf(badge),
    // It looks like the page to sign in.
    styles: font.swap + players.text,
    contrastStyles: contrast.text,
  });
  writeFileSync(path.join(assets, WORKER_FILE), worker);
  await compressFiles(assets);
  writeFileSync(path.join(dir, MANIFEST), JSON.stringify(manifest, null, 2));
}

/** The module that starts the app. */
export const ENTRY = "client/app/entry.tsx";
const addressOf = (file: string) => `/assets/${file}`;

/** Writes what the installed app is shown by: its manifest and its icons. */
async function writeApp(
  dir: string,
): Promise<Pick<Manifest, "app" | "touchIcon"> & { icon: string; badge: string }> {
  const icons = await drawIcons();
  const files = new Map(icons.map(({ name, bytes }) => [name, writeHashed(dir, `${name}.png`, bytes)]));
  const fileOf = (name: string) => files.get(name) ?? "";
  const description = describeApp(icons, ({ name }) => addressOf(fileOf(name)));
  return {
    app: writeHashed(dir, "app.webmanifest", Buffer.from(description)),
    touchIcon: fileOf("icon-touch-180"),
    icon: fileOf("icon-192"),
    badge: fileOf("badge-96"),
  };
}

function writePlainPage(dir: string, allStyles: string): string {
  const styles = writeHashed(dir, "plain.css", Buffer.from(plainStyles(allStyles)));
  return writeHashed(dir, "plain-page.js", Buffer.from(plainPage(addressOf(styles))));
}

function writeFonts(dir: string): FontFile[] {
  return fonts.map(({ file, ranges }) => {
    const name = writeHashed(dir, file, readFileSync(path.join(FONTS, file)));
    return fontFile(`/assets/${name}`, ranges);
  });
}

function hashSources(): string {
  const sources = ["client", "src", "db/lists"].flatMap((folder) =>
    readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: "utf8" })
      .map((file) => path.join(folder, file))
      .filter(
        (file) =>
          /\.(tsx?|css|woff2)$/.test(file) &&
          (folder !== "src" || file.endsWith("/contract.ts") || file.includes("/blueprints/plan-text/")),
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

/** Moves the build into place, unless another process has made the same one meanwhile. Deletes the oldest builds. */
function publish(draft: string, dir: string): void {
  if (!existsSync(dir)) renameSync(draft, dir);
  const older = readdirSync(BUILDS)
    .filter((name) => name !== path.basename(dir) && !name.includes("."))
    .map((name) => path.join(BUILDS, name));
  const ageOf = new Map(
    older.map((build) => [build, statSync(build, { throwIfNoEntry: false })?.mtimeMs ?? 0]),
  );
  older.sort((one, other) => (ageOf.get(other) ?? 0) - (ageOf.get(one) ?? 0));
  for (const build of older.slice(BUILDS_KEPT - 1)) rmSync(build, { recursive: true, force: true });
}

const WORKER = path.join(import.meta.dir, "../install/worker/worker.ts");
const RETRY_SCRIPT = path.join(import.meta.dir, "../install/retry-when-online.ts");

type Parts = {
  /** The addresses of the files that every page needs. */
  files: readonly string[];
  icon: string;
  badge: string;
  /** The styles of the offline page. */
  styles: string;
  contrastStyles: string;
};

/**
 * Builds the service worker, with its version, the files that it stores and the offline page in it.
 * @returns its script. Equal sources make equal bytes, by which browsers see whether there is a new one.
 */
async function buildWorker({ files, icon, badge, styles, contrastStyles }: Parts): Promise<string> {
  const page = { styles, contrastStyles, script: await bundle(RETRY_SCRIPT), mark: MARK_PATH };
  const shell = { files, icon, badge, offlinePage: offlinePage(page), offlinePolicy: offlinePolicy(page) };
  const version = Bun.hash(JSON.stringify(shell)).toString(36);
  return bundle(WORKER, { SHELL: JSON.stringify({ version, ...shell }) });
}

async function bundle(entry: string, define: Record<string, string> = {}): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: "browser",
    format: "iife",
    minify: true,
    define,
  });
  const [script] = outputs;
  if (script === undefined) throw new Error(`The bundler made nothing of ${entry}.`);
  const text = (await script.text()).trim();
  checkFunctions(path.basename(entry), text);
  return text;
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes `.br` and `.gz` beside every script, style sheet and SVG of a folder, with the highest compression. */
export async function compressFiles(dir: string): Promise<void> {
  const names = readdirSync(dir).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const file = path.join(dir, name);
      const bytes = readFileSync(file);
      const [brotli, gzipped] = await Promise.all([
        toBrotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
        toGzip(bytes, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      writeFileSync(`${file}.br`, brotli);
      writeFileSync(`${file}.gz`, gzipped);
    }),
  );
}

/**
 * The script that a browser gets which is too old for the app: it shows the page as it is without JavaScript, and says why. It is
 * written in words that every browser reads.
 * @param styles the address of the style sheet from `plainStyles`.
 */
function plainPage(styles: string): string {
  return `(function(d){var l=d.createElement("link"),p=d.createElement("p");
l.rel="stylesheet";l.href=${JSON.stringify(styles)};d.head.appendChild(l);
p.className="note warn";p.setAttribute("role","status");p.textContent=${JSON.stringify(TOO_OLD)};d.body.insertBefore(p,d.body.firstChild);
[].slice.call(d.querySelectorAll("noscript")).forEach(function(n){n.outerHTML=n.textContent})})(document)
`;
}

/** All styles, with what applies where a page has no script applied, whether the browser knows how to ask for that or not. */
function plainStyles(allStyles: string): string {
  return allStyles
    .replaceAll(/\(scripting: ?none\)/g, "(min-width:0)")
    .replaceAll(/\(scripting: ?enabled\)/g, "(max-width:0)");
}

/** With a folder as its argument it builds there, whatever builds exist: so `bun run check` proves that the sources build. */
if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  await (folder === undefined ? buildClient() : makeBuild(folder));
}
