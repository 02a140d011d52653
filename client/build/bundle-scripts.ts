import path from "node:path";
import { slimBundle } from "./slim-bundle.ts";

const PROJECT = path.join(import.meta.dir, "../..");
const NAME = "[name]-[hash].[ext]";

/**
 * Bundles the browser's code.
 * @param outdir where the files go.
 * @returns for every module that is loaded by itself, its file and the files it imports, however deep.
 */
export async function bundleScripts(outdir: string): Promise<Record<string, string[]>> {
  const { metafile } = await Bun.build({
    // React stands in a chunk of its own, which stays the same from build to build.
    entrypoints: [path.join(PROJECT, "client/entry.tsx"), path.join(PROJECT, "client/vendor.ts")],
    outdir,
    root: PROJECT,
    target: "browser",
    splitting: true,
    minify: true,
    sourcemap: "external",
    metafile: true,
    conditions: ["production"],
    define: { "process.env.NODE_ENV": '"production"' },
    naming: { entry: NAME, chunk: NAME, asset: NAME },
    plugins: [slimBundle],
  });
  if (metafile === undefined) throw new Error("The bundler gave no metafile.");
  return chunksOf(metafile.outputs);
}

type Outputs = Record<string, { entryPoint?: string; imports: { path: string; kind: string }[] }>;

function chunksOf(outputs: Outputs): Record<string, string[]> {
  const byFile = new Map(Object.entries(outputs).map(([file, output]) => [path.basename(file), output]));
  const withImports = (file: string, seen: Set<string>): string[] => {
    if (!seen.has(file)) {
      seen.add(file);
      for (const { path: imported, kind } of byFile.get(file)?.imports ?? []) {
        if (kind === "import-statement") withImports(path.basename(imported), seen);
      }
    }
    return [...seen];
  };
  const chunks: Record<string, string[]> = {};
  for (const [file, { entryPoint }] of byFile) {
    if (entryPoint !== undefined && file.endsWith(".js")) {
      chunks[path.relative(PROJECT, path.resolve(entryPoint))] = withImports(file, new Set());
    }
  }
  return chunks;
}
