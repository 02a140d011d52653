import path from "node:path";
import type { BunPlugin } from "bun";

const PROJECT = path.join(import.meta.dir, "../..");
const NAME = "[name]-[hash].[ext]";

/**
 * Makes Chromium compile all functions of a script in the background while it arrives, and not each one when it is first
 * called: hydration calls a thousand. Other browsers read a comment.
 */
const COMPILE_ALL = "//# allFunctionsCalledOnLoad";

/**
 * Code that several screens share and that is smaller becomes part of a chunk that all of them load anyway: on a slow line a
 * request more costs as much as 100 KB.
 */
const MIN_CHUNK_BYTES = 5_500;

/** The scripts and the style sheets that Bun finds. */
type Scripts = {
  /** For every entry point and every dynamically imported module, its file and all files that it imports, directly or not. */
  chunks: Record<string, string[]>;
  /** The style sheet that such a module imports. */
  sheets: Record<string, string>;
};

/** Bun's own bundler of styles would put those of all chunks into the entry's, and rewrites `:is()` and light-dark(). */
const findSheets: BunPlugin = {
  name: "find sheets",
  setup: (build) => void build.onLoad({ filter: /\.css$/ }, () => ({ contents: "", loader: "js" })),
};

/**
 * Bundles the browser's code.
 * @param outdir where the files go.
 * @throws if the bundle contains modules that do not belong into it, or functions that not all supported browsers have; see
 *   `checkModules` and `checkFunctions`.
 */
export async function bundleScripts(outdir: string): Promise<Scripts> {
  const { metafile, outputs } = await Bun.build({
    entrypoints: ["client/app/entry.tsx", "client/build/vendor.ts"].map((file) => path.join(PROJECT, file)),
    outdir,
    root: PROJECT,
    target: "browser",
    splitting: true,
    minChunkSize: MIN_CHUNK_BYTES,
    minify: true,
    sourcemap: "external",
    metafile: true,
    banner: COMPILE_ALL,
    plugins: [findSheets],
    conditions: ["production"],
    define: { "process.env.NODE_ENV": '"production"' },
    naming: { entry: NAME, chunk: NAME, asset: NAME },
  });
  if (metafile === undefined) throw new Error("The bundler gave no metafile.");
  checkModules(Object.keys(metafile.inputs).map(belowProject));
  await Promise.all(outputs.filter(({ path: file }) => file.endsWith(".js")).map(finishScript));
  const chunks = chunksOf(metafile.outputs);
  return { chunks, sheets: sheetsOf(metafile.inputs, Object.keys(chunks)) };
}

type Inputs = Record<string, { imports: { path: string }[] }>;

function sheetsOf(inputs: Inputs, modules: readonly string[]): Record<string, string> {
  const found = Object.entries(inputs).flatMap(([module, { imports }]) =>
    imports.flatMap(({ path: file }) =>
      file.endsWith(".css") ? [[belowProject(module), path.resolve(file)] as const] : [],
    ),
  );
  const astray = found.filter(([module]) => !modules.includes(module)).map(([module]) => module);
  if (astray.length > 0)
    throw new Error(`Only the module of a chunk imports a style sheet: ${astray.join(", ")}.`);
  return Object.fromEntries(found);
}

/** The number of a script's source map, for services that nobody uses here: 32 digits that no compression shortens. */
const DEBUG_ID = /\n\/\/# debugId=\w+\n?$/;

async function finishScript({ path: file }: { path: string }): Promise<void> {
  const script = await Bun.file(file).text();
  checkFunctions(path.basename(file), script);
  await Bun.write(file, script.replace(DEBUG_ID, "\n"));
}

/** The project's own modules that may be in the bundle. A picture or a clip would get an address that is right on one page alone. */
const allowedSources = [
  /^client\/.+\.(tsx?|css)$/,
  /^src\/(?:[^/]+\/)+contract\.ts$/,
  /^src\/show\/blueprints\/plan-text\/[^/]+\.ts$/,
  /^db\/lists\/[^/]+\.ts$/,
];

/**
 * Checks the modules of a bundle, by their paths below the project.
 * @throws if the server's code or valibot is among them: the browser does not validate what its own server sends.
 */
export function checkModules(modules: readonly string[]): void {
  const isForeign = (module: string) =>
    module.startsWith("node_modules/")
      ? module.startsWith("node_modules/valibot/")
      : !allowedSources.some((allowed) => allowed.test(module));
  const foreign = modules.filter(isForeign);
  if (foreign.length > 0) throw new Error(`The browser's bundle must not contain ${foreign.join(", ")}.`);
}

type Outputs = Record<string, { entryPoint?: string; imports: { path: string; kind: string }[] }>;

function chunksOf(outputs: Outputs): Record<string, string[]> {
  const byFile = new Map(Object.entries(outputs).map(([file, output]) => [path.basename(file), output]));
  const withImports = (file: string, visited: Set<string>): string[] => {
    if (!visited.has(file)) {
      visited.add(file);
      for (const { path: imported, kind } of byFile.get(file)?.imports ?? []) {
        if (kind === "import-statement") withImports(path.basename(imported), visited);
      }
    }
    return [...visited];
  };
  const chunks: Record<string, string[]> = {};
  for (const [file, { entryPoint }] of byFile) {
    if (entryPoint !== undefined && file.endsWith(".js")) {
      chunks[belowProject(entryPoint)] = withImports(file, new Set());
    }
  }
  return chunks;
}

/** The bundler's paths are relative to the working directory. */
function belowProject(file: string): string {
  return path.relative(PROJECT, path.resolve(file));
}

/**
 * What some supported browser lacks (README.md), and what the page does not make itself (client/base/browser/older-functions.ts).
 * `union`, `intersection` and `difference` of sets are no better, but the words have other uses.
 */
const missingSomewhere: readonly RegExp[] = [
  /\b(?:Object|Map)\.groupBy\b/,
  /\bArray\.fromAsync\b/,
  /\bPromise\.try\b/,
  /\bURL\.canParse\b/,
  /\bRegExp\.escape\b/,
  /\bResponse\.json\b/,
  /\bError\.isError\b/,
  /\bMath\.(?:sumPrecise|f16round)\b/,
  /\bIterator\.(?:from|concat|prototype)\b/,
  /\bIntl\.DurationFormat\b/,
  /\.(?:is(?:Subset|Superset)Of|isDisjointFrom|symmetricDifference)\(/,
  /\.(?:is|to)WellFormed\(/,
  // Of arrays, in Chromium 109.
  /\.(?:with|toSpliced)\(/,
  /\.(?:getOrInsert|getOrInsertComputed)\(/,
  /\.(?:checkVisibility|showPopover|togglePopover|moveBefore|setHTMLUnsafe)\(/,
  // What iterators can do themselves, and not only arrays.
  /\.(?:values|keys|entries)\(\)\.(?:map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)\(/,
];

/**
 * Checks a script for browsers, with the libraries in it.
 * @throws if it uses a function that a supported browser lacks.
 */
export function checkFunctions(file: string, script: string): void {
  for (const pattern of missingSomewhere) {
    const [found] = pattern.exec(script) ?? [];
    if (found !== undefined)
      throw new Error(
        `${file} uses ${found}, which not all supported browsers have (client/build/bundle-scripts.ts).`,
      );
  }
}
