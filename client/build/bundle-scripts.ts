import path from "node:path";
import { checkFeatures } from "./check-features.ts";
import type { FontFile } from "./fonts.ts";
import { inlineTexts } from "./inline-texts.ts";
import { shareEntry } from "./share-entry.ts";
import { checkModules, slimBundle } from "./slim-bundle.ts";

const PROJECT = path.join(import.meta.dir, "../..");
const NAME = "[name]-[hash].[ext]";

/**
 * Bundles the browser's code.
 * @param outdir where the files go.
 * @param fontFiles the files of the font, which the scripts fetch.
 * @returns for every entry point and every dynamically imported module, its file and all files that it imports, directly or not.
 * @throws if the bundle contains modules that do not belong into it; see `checkModules`.
 */
export async function bundleScripts(
  outdir: string,
  fontFiles: readonly FontFile[] = [],
): Promise<Record<string, string[]>> {
  const { metafile } = await Bun.build({
    // vendor.ts puts React into its own chunk, which does not change from build to build.
    entrypoints: [path.join(PROJECT, "client/entry.tsx"), path.join(PROJECT, "client/build/vendor.ts")],
    outdir,
    root: PROJECT,
    target: "browser",
    splitting: true,
    minify: true,
    sourcemap: "external",
    metafile: true,
    conditions: ["production"],
    // The list is in an object, because Bun ignores a definition that is an array.
    define: { "process.env.NODE_ENV": '"production"', FONT: JSON.stringify({ files: fontFiles }) },
    naming: { entry: NAME, chunk: NAME, asset: NAME },
    plugins: [slimBundle, shareEntry, inlineTexts],
  });
  if (metafile === undefined) throw new Error("The bundler gave no metafile.");
  const modules = Object.keys(metafile.inputs).map(belowProject);
  checkModules(modules);
  for (const module of modules) {
    if (module.startsWith("client/"))
      checkFeatures(module, await Bun.file(path.join(PROJECT, module)).text());
  }
  return chunksOf(metafile.outputs);
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
